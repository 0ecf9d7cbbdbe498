/*
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements. See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.eventmesh.state.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Makes the system calls of a process fail or wait, for as long as it is attached. */
final class Strace implements AutoCloseable {
    private final Process process;

    private Strace(Process process) {
        this.process = process;
    }

    static boolean isThere() {
        return Files.isExecutable(Path.of("/usr/bin/strace"));
    }

    /** Skips the test where strace is missing or may not attach. */
    static Strace attach(long pid, String... options) throws IOException, InterruptedException {
        assumeTrue(isThere(), "needs strace");
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-o", "/dev/null", "-p", Long.toString(pid)));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String said = output.readLine();
        assumeTrue(said != null && said.contains("attached"), "strace may not attach to another process here: " + said);
        return new Strace(process);
    }

    /** Detaches: all is well again. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("strace does not detach");
        }
    }
}
