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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes that a test has started. */
public final class Signals {
    private Signals() {}

    /** For example {@code CONT}; it may not have reached the process yet. */
    public static void send(String name, long pid) {
        EtcdBinaries.run(Path.of("kill"), List.of("-" + name, String.valueOf(pid)));
    }

    /** SIGSTOP, until the process has stopped as a whole: a signal that was sent has not yet reached every thread. */
    public static void stop(long pid) {
        send("STOP", pid);
        EtcdPlaces.await("process " + pid + " goes on though it was stopped", () -> isStopped(pid));
    }

    private static boolean isStopped(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            for (Path thread : threads.toList()) {
                // the state stands behind the name, which is in brackets and may hold anything
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException threadEnded) {
            return false;
        }
    }
}
