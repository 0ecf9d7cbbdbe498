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

import io.cloudevents.CloudEvent;
import io.cloudevents.jackson.JsonFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** CloudEvents in JSON, one a line, spread over the demo's topics in turn. */
final class Input {
    private static final int EACH_FAILING = 17;

    private final List<Event> events = new ArrayList<>();
    private int malformed;

    /** Reads to the end; a malformed line is reported with its number, skipped and counted. */
    static Input read(BufferedReader lines, Consumer<String> report) throws IOException {
        Input input = new Input();
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank()) {
                input.take(number, line, report);
            }
        }
        return input;
    }

    private void take(int number, String line, Consumer<String> report) {
        CloudEvent event;
        try {
            event = new JsonFormat().deserialize(line.getBytes(StandardCharsets.UTF_8));
        } catch (RuntimeException e) {
            malformed++;
            report.accept("line " + number + " is not a CloudEvent in JSON and is skipped: " + firstLine(e));
            return;
        }
        int index = events.size();
        List<String> topics = List.of(Topics.ORDERED, Topics.UNORDERED);
        events.add(new Event(
                topics.get(index % topics.size()),
                index / topics.size(),
                event.getId(),
                line,
                index % EACH_FAILING == EACH_FAILING - 1));
    }

    private static String firstLine(RuntimeException e) {
        Throwable cause = e.getCause() != null ? e.getCause() : e;
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("no reason given");
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    int malformed() {
        return malformed;
    }
}
