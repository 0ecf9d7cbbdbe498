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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** One message between the world and the dispatcher: a word and its fields, as one line of text. */
record Wire(String word, List<String> fields) {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    Wire {
        fields = List.copyOf(fields);
    }

    static Wire of(String word, Object... fields) {
        return new Wire(word, Arrays.stream(fields).map(String::valueOf).toList());
    }

    /** Fields may hold anything, so they travel in base64. */
    String line() {
        StringBuilder line = new StringBuilder(word);
        fields.forEach(f -> line.append(' ').append(ENCODER.encodeToString(f.getBytes(StandardCharsets.UTF_8))));
        return line.append(" .").toString();
    }

    /** The process may die in the middle of a line, so a line without its end mark is none. */
    static boolean isWhole(String line) {
        return line.endsWith(" .");
    }

    static Wire parse(String line) {
        List<String> parts = List.of(line.substring(0, line.length() - 2).split(" ", -1));
        return new Wire(
                parts.get(0),
                parts.stream()
                        .skip(1)
                        .map(f -> new String(Base64.getUrlDecoder().decode(f), StandardCharsets.UTF_8))
                        .toList());
    }

    String text(int index) {
        return fields.get(index);
    }

    long number(int index) {
        return Long.parseLong(fields.get(index));
    }
}
