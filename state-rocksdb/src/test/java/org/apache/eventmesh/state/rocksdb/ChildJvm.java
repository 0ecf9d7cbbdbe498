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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A JVM with the class path of the tests, whose output is kept. */
final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ChildJvm start(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        return start(List.of(), main, options, arguments);
    }

    /** @param before a command that starts the JVM */
    static ChildJvm start(List<String> before, Class<?> main, List<String> options, List<String> arguments)
            throws IOException {
        return new ChildJvm(command(before, main, options, arguments).start());
    }

    /** Not started yet; its errors come with its output. */
    static ProcessBuilder command(List<String> before, Class<?> main, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    static ChildJvm engine(Path directory, Duration deadline) throws IOException {
        ChildJvm child =
                start(EngineChild.class, List.of(), List.of(directory.toString(), Long.toString(deadline.toMillis())));
        child.await("ready"::equals);
        return child;
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            synchronized (lines) {
                lines.add("its output cannot be read: " + e);
            }
        }
    }

    long pid() {
        return process.pid();
    }

    void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(String.join("\n", lines()), e);
        }
    }

    /** The first such line, also of before. */
    String await(Predicate<String> wanted) {
        return await(wanted, Duration.ofSeconds(30));
    }

    String await(Predicate<String> wanted, Duration atMost) {
        Awaitility.await()
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(2))
                .conditionEvaluationListener(null)
                .until(() -> lines().stream().anyMatch(wanted) || !process.isAlive());
        return lines().stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the child ended: " + String.join("\n", lines())));
    }

    boolean has(Predicate<String> wanted) {
        return lines().stream().anyMatch(wanted);
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** All that it ever said; after a kill. */
    List<String> linesToTheEnd() throws InterruptedException {
        reader.join();
        return lines();
    }

    /** Closes its input, and gives its exit code. */
    int end(Duration atMost) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running: " + String.join("\n", lines()));
        }
        return process.exitValue();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        // by its handle: the process itself would close its output, and lose what it said last
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
