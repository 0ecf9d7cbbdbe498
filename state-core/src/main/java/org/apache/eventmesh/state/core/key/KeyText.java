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
package org.apache.eventmesh.state.core.key;

import java.util.HexFormat;
import java.util.Optional;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** Keys as people read them in messages: {@code PROGRESS(topic "orders", partition 3, subscriber group "billing")}. */
public final class KeyText {
    private KeyText() {}

    /** Any key, whole or not; what is not understood stands as hexadecimal bytes. One line, printable, whatever it holds. */
    public static String of(Bytes key) {
        Optional<Table> table =
                key.size() == 0 ? Optional.empty() : Table.of(key.buffer().get(0) & 0xFF);
        return table.map(known -> known + "(" + elements(known, key) + ")").orElseGet(() -> hex(key, 0));
    }

    private static String elements(Table table, Bytes key) {
        StringBuilder text = new StringBuilder();
        KeyReader reader = KeyReader.of(key);
        reader.kind();
        int understood = 1;
        try {
            for (Element element : table.elements()) {
                if (reader.remaining() == 0) {
                    break;
                }
                String shown = element.name() + " " + one(element.type(), reader);
                text.append(text.isEmpty() ? "" : ", ").append(shown);
                understood = key.size() - reader.remaining();
            }
        } catch (IllegalArgumentException e) {
            // shown below as it stands
        }
        if (understood < key.size()) {
            text.append(text.isEmpty() ? "" : ", ").append(hex(key, understood));
        }
        return text.toString();
    }

    private static String one(Element.Type type, KeyReader reader) {
        return switch (type) {
            case TEXT -> quoted(reader.text());
            case KIND -> Integer.toString(reader.kind());
            case INT -> Integer.toString(reader.integer());
            case LONG -> Long.toString(reader.number());
            case SCOPE -> scope(reader);
            case SUBSCRIBER -> subscriber(reader.subscriber());
        };
    }

    private static String scope(KeyReader reader) {
        int kind = reader.kind();
        return switch (kind) {
            case 1 -> "partition " + quoted(reader.text()) + " " + reader.integer();
            case 2 -> "client " + quoted(reader.text());
            case 3 -> "agent " + quoted(reader.text());
            case 4 -> "task " + quoted(reader.text());
            default -> throw new IllegalArgumentException("no scope has kind " + kind);
        };
    }

    private static String subscriber(Subscriber subscriber) {
        return subscriber instanceof Subscriber.Group group
                ? "group " + quoted(group.name())
                : "client " + quoted(((Subscriber.Single) subscriber).client().value());
    }

    /** In quotation marks, on one line: control characters and quotation marks are escaped as in Java. */
    public static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                shown.append('\\').appendCodePoint(point);
            } else if (printable(point)) {
                shown.appendCodePoint(point);
            } else {
                for (char c : Character.toChars(point)) {
                    shown.append(String.format("\\u%04x", (int) c));
                }
            }
        });
        return shown.append('"').toString();
    }

    private static boolean printable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static String hex(Bytes key, int from) {
        byte[] all = key.toArray();
        return "0x" + HexFormat.of().formatHex(all, from, all.length);
    }
}
