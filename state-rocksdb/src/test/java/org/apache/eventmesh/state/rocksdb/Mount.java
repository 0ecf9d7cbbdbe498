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

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A file system in memory, with a size or rights of its own. Needs root; skips the test without. */
record Mount(Path directory) implements AutoCloseable {
    static Mount tmpfs(Path directory, String options) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root, to mount a file system");
        int code = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
        assumeTrue(code == 0, "mounting a file system is not allowed here");
        return new Mount(directory);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("umount", "-l", directory.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
