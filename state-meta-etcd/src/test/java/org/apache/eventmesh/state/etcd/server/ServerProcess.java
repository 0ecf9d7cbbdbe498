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
package org.apache.eventmesh.state.etcd.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server process of a test. Its standard input is a line to this JVM: when that ends, however it does, the server is
 * killed.
 */
final class ServerProcess {
    /** Starts the program, says its id, ends with it, and kills it when nobody is at the other end of the input. */
    private static final String SHELL = "log=$1; shift; \"$@\" < /dev/null >> \"$log\" 2>&1 & child=$!; echo $child;"
            + " exec 3<&0; { read -r end <&3; kill -9 $child; } > /dev/null 2>&1 & guard=$!;"
            + " wait $child; status=$?; kill $guard; exit $status";

    private static final long PATIENCE_SECONDS = 20;

    private final Process shell;
    private final long pid;

    private ServerProcess(Process shell, long pid) {
        this.shell = shell;
        this.pid = pid;
    }

    static ServerProcess start(List<String> command, Path log) {
        List<String> all = new ArrayList<>(List.of("sh", "-c", SHELL, "sh", log.toString()));
        all.addAll(command);
        try {
            Process shell = new ProcessBuilder(all).redirectError(log.toFile()).start();
            // not closed: the reader is the shell's standard output, which ends with it
            BufferedReader said = shell.inputReader(StandardCharsets.UTF_8);
            String pid = said.readLine();
            if (pid == null) {
                throw new AssertionError("the shell that should start " + command.get(0) + " has ended, see " + log);
            }
            return new ServerProcess(shell, Long.parseLong(pid.strip()));
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + command.get(0), e);
        }
    }

    boolean isAlive() {
        return shell.isAlive();
    }

    /** Stops it as a whole. */
    void stop() {
        Signals.stop(pid);
    }

    /** For example {@code CONT}. */
    void signal(String name) {
        Signals.send(name, pid);
    }

    /** Ends the line to it, as the end of this JVM does. */
    void letGo() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException("letting go of server process " + pid, e);
        }
    }

    void kill() {
        if (isAlive()) {
            signal("KILL");
            awaitEnd();
        }
    }

    void awaitEnd() {
        try {
            if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("server process " + pid + " has not ended in " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a server ended", e);
        }
    }
}
