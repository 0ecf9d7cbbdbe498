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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The etcd programs that the tests run. */
public final class EtcdBinaries {
    private static final String INSTRUCTION =
            "The tests of the etcd engine need a real server, etcd 3.5.16 or newer, with"
                    + " etcdctl and etcdutl beside it. Run ./verify, which fetches one; or run tools/etcd-server.sh once, which"
                    + " leaves one in a cache where the tests find it; or name yours by -Detcd.binaries=PATH or in the environment"
                    + " variable ETCD_BINARY (several separated by colons)";

    private EtcdBinaries() {}

    /**
     * All servers to test with; the first is the one that most tests run on.
     *
     * @throws AssertionError when there is none: these tests do not pass by being skipped
     */
    public static List<Path> all() {
        List<Path> named = named(System.getProperty("etcd.binaries"), System.getenv("ETCD_BINARY"));
        List<Path> found = named.isEmpty() ? cached() : named;
        if (found.isEmpty()) {
            throw new AssertionError(INSTRUCTION);
        }
        for (Path binary : found) {
            if (!Files.isExecutable(binary)) {
                throw new AssertionError(binary + " is no program that can be run. " + INSTRUCTION);
            }
        }
        return found;
    }

    public static Path first() {
        return all().get(0);
    }

    private static List<Path> named(String... settings) {
        for (String setting : settings) {
            if (setting != null && !setting.isBlank()) {
                return Arrays.stream(setting.split(File.pathSeparator, -1))
                        .filter(name -> !name.isBlank())
                        .map(Path::of)
                        .toList();
            }
        }
        return List.of();
    }

    /** What tools/etcd-server.sh has left. */
    private static List<Path> cached() {
        Path cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return List.of("trixie", "testing").stream()
                .map(suite -> cache.resolve(Path.of("eventmesh-state", "etcd", suite, "usr", "bin", "etcd")))
                .filter(Files::isExecutable)
                .toList();
    }

    /** A tool that belongs to a server: {@code etcdctl} or {@code etcdutl}. */
    public static Path beside(Path binary, String tool) {
        Path beside = binary.resolveSibling(tool);
        if (!Files.isExecutable(beside)) {
            throw new AssertionError(tool + " is not beside " + binary + ". " + INSTRUCTION);
        }
        return beside;
    }

    /** What a tool prints; it must succeed. */
    public static String run(Path tool, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("ETCDCTL_API", "3");
            Process process = builder.start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException("running " + tool, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + tool + " ran", e);
        }
    }
}
