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
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** {@code demo [events.ndjson | -]}: exit 0 when every promise was kept, 1 when one was broken, 2 for bad input. */
public final class Demo {
    private static final String SAMPLE = "/demo/events.ndjson";

    private Demo() {}

    public static void main(String[] args) throws Exception {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) throws Exception {
        if (args.size() > 1 || args.contains("--help")) {
            System.err.println("usage: demo [events.ndjson | -]   CloudEvents, one JSON object a line");
            return args.contains("--help") ? 0 : 2;
        }
        Input input;
        try (BufferedReader lines = open(args)) {
            input = Input.read(lines, System.err::println);
        } catch (NoSuchFileException e) {
            System.err.println(
                    "no file " + e.getMessage() + "; name a file with one CloudEvent a line, or - for standard input");
            return 2;
        } catch (IOException e) {
            System.err.println("cannot read " + args + ": " + e + "; name a file with one CloudEvent a line");
            return 2;
        }
        if (input.events().isEmpty()) {
            System.err.println("no event in the input (" + input.malformed()
                    + " malformed lines); give at least one CloudEvent a line");
            return 2;
        }
        Path state = Files.createTempDirectory("eventmesh-state-demo");
        try {
            Ledger ledger = new World(input.events(), state, System.out).run();
            Report report = new Report(input.events().size(), input.malformed(), ledger);
            report.print(System.out);
            return report.good() ? 0 : 1;
        } finally {
            deleteTree(state);
        }
    }

    private static BufferedReader open(List<String> args) throws IOException {
        if (args.isEmpty()) {
            InputStream sample = Objects.requireNonNull(Demo.class.getResourceAsStream(SAMPLE), SAMPLE);
            return new BufferedReader(new InputStreamReader(sample, StandardCharsets.UTF_8));
        }
        return args.get(0).equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(args.get(0)));
    }

    private static void deleteTree(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
