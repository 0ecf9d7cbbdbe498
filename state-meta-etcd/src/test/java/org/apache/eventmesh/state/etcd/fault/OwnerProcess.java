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
package org.apache.eventmesh.state.etcd.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.server.Signals;

/** A child JVM that runs {@link OwnerMain}, as its parent sees it. It ends with this JVM: its input does. */
final class OwnerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final String END = "the end";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private OwnerProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns when it owns what it is to own. */
    static OwnerProcess start(String... places) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OwnerMain.class.getName()));
        command.addAll(List.of(places));
        try {
            OwnerProcess owner = new OwnerProcess(
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
            owner.next("ready");
            return owner;
        } catch (IOException e) {
            throw new UncheckedIOException("starting a JVM", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("its output cannot be read: " + e);
        } finally {
            lines.add(END);
        }
    }

    private List<String> next(String last) {
        List<String> heard = new ArrayList<>();
        try {
            while (true) {
                String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (line == null || line.equals(END)) {
                    throw new AssertionError("the owner does not say \"" + last + "\", after " + heard);
                }
                if (line.equals(last)) {
                    return heard;
                }
                heard.add(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while listening to an owner", e);
        }
    }

    /** Lets it do something, and returns what it says was answered: one line for each call. */
    List<String> tell(String word) {
        Writer in = process.outputWriter(StandardCharsets.UTF_8);
        try {
            in.write(word + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the owner does not listen", e);
        }
        return next("done");
    }

    /** SIGSTOP. */
    void pause() {
        Signals.stop(process.pid());
    }

    /** SIGCONT. */
    void resume() {
        Signals.send("CONT", process.pid());
    }

    /** SIGKILL. May be called twice. */
    @Override
    public void close() {
        // by its handle: the process itself would close its output, and lose what it said last
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
