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
package org.apache.eventmesh.state.tck.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Power;

/** A child JVM as its parent sees it. */
final class Child implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final String END = "";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Child(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM that waits for {@link #begin}. */
    static Child start(Place place, Class<? extends Script> script) {
        return start(place, script, Optional.empty());
    }

    /** @param power of the disk below the place, which may go */
    static Child start(Place place, Class<? extends Script> script, Optional<Power> power) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        power.ifPresent(disk -> command.add("-D" + Life.POWER_GONE + "=" + disk.gone()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName()));
        command.add(script.getName());
        command.addAll(place.arguments());
        try {
            return new Child(
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new UncheckedIOException("starting a JVM", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.endsWith(Life.WHOLE)) {
                    lines.add(line.substring(0, line.length() - Life.WHOLE.length()));
                }
            }
        } catch (IOException e) {
            // not by the kill: that is an end like any other
            lines.add("wrong: the output of the child cannot be read: " + e);
        } finally {
            lines.add(END);
        }
    }

    /** Lets it open its place and begin. */
    void begin(String arguments) {
        // stays open: its end tells a child that its parent is gone
        Writer in = process.outputWriter(StandardCharsets.UTF_8);
        try {
            in.write(arguments + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the child does not listen", e);
        }
    }

    /** The next whole line that it says; empty when there will be none. */
    Optional<String> next() {
        try {
            String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("the child says nothing for " + PATIENCE_SECONDS + " s");
            }
            if (line.equals(END)) {
                lines.add(END);
                return Optional.empty();
            }
            return Optional.of(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while listening to a child", e);
        }
    }

    /** The rest of the next line that begins so. */
    String await(String beginning) {
        List<String> heard = new ArrayList<>();
        while (true) {
            Optional<String> line = next();
            if (line.isEmpty()) {
                throw new AssertionError("the child ended without \"" + beginning + "\", after " + heard);
            }
            if (line.get().startsWith(beginning)) {
                return line.get().substring(beginning.length()).strip();
            }
            heard.add(line.get());
        }
    }

    /** Every whole line to the end; after a kill. */
    void rest(Consumer<String> heard) {
        for (Optional<String> line = next(); line.isPresent(); line = next()) {
            heard.accept(line.get());
        }
    }

    /** SIGKILL: no hook runs, no last word. */
    void kill() {
        // by its handle: the process itself would close its output, and lose what it said last
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
