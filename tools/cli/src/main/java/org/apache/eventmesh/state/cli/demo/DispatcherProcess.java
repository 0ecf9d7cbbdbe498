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
package org.apache.eventmesh.state.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The dispatcher in a JVM of its own, and the lines that go to it and come from it. */
final class DispatcherProcess {
    /** The last thing that comes from a process. */
    static final Wire ENDED = Wire.of("ENDED");

    private final Process process;
    private final Writer in;
    private final BlockingQueue<Wire> out = new LinkedBlockingQueue<>();

    private DispatcherProcess(Process process) {
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "dispatcher-output");
        reader.setDaemon(true);
        reader.start();
    }

    static DispatcherProcess start(Path state) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new DispatcherProcess(new ProcessBuilder(
                        java.toString(),
                        "-Xmx256m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DispatcherMain.class.getName(),
                        state.toString())
                .redirectError(Redirect.INHERIT)
                .start());
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (Wire.isWhole(line)) {
                    out.add(Wire.parse(line));
                }
            }
        } catch (IOException e) {
            System.err.println("the dispatcher's output ended: " + e.getMessage());
        } finally {
            out.add(ENDED);
        }
    }

    BlockingQueue<Wire> out() {
        return out;
    }

    void send(Wire wire) {
        try {
            in.write(wire.line());
            in.write('\n');
            in.flush();
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
            // It was killed: whoever sent this finds no answer, as with any process that dies.
        }
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL: no shutdown hook, no last word. */
    void kill() {
        // by its handle: the process itself would close its output, and lose what it said last
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    /** Asks it to close its stores and waits for the end. */
    int stop() throws InterruptedException {
        send(Wire.of("STOP"));
        return process.waitFor();
    }
}
