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

import java.util.Arrays;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Writes a key, element by element, so that keys sort as their elements do and no two tuples share one.
 *
 * <p>Text is UTF-8 with NUL written as {@code 00 FF}, ended by {@code 00}. Numbers are not negative and stand high byte
 * first. So no element begins with {@code FF}: a {@code FF} can only follow the {@code 00} of an escape, and everything
 * under a prefix lies before the prefix followed by {@code FF}. (The escape is that of FoundationDB's tuple layer.)
 */
public final class KeyWriter {
    private byte[] buffer = new byte[64];
    private int size;

    private KeyWriter(Table table) {
        put(table.number());
    }

    public static KeyWriter of(Table table) {
        return new KeyWriter(table);
    }

    /**
     * Any text, empty included.
     *
     * @throws IllegalArgumentException when it has an unpaired surrogate: two such texts could share a key
     */
    public KeyWriter text(String text) {
        room(3 * text.length() + 1);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                put(0);
                put(0xFF);
            } else if (c < 0x80) {
                put(c);
            } else if (c < 0x800) {
                put(0xC0 | (c >> 6));
                put(0x80 | (c & 0x3F));
            } else if (!Character.isSurrogate(c)) {
                put(0xE0 | (c >> 12));
                put(0x80 | ((c >> 6) & 0x3F));
                put(0x80 | (c & 0x3F));
            } else {
                putPair(text, i++);
            }
        }
        put(0);
        return this;
    }

    /** One byte, 0 to 127. */
    public KeyWriter kind(int kind) {
        require(kind >= 0 && kind < 0x80, kind);
        put(kind);
        return this;
    }

    /** A non-negative int. */
    public KeyWriter integer(int value) {
        require(value >= 0, value);
        for (int shift = 24; shift >= 0; shift -= 8) {
            put(value >> shift);
        }
        return this;
    }

    /** A non-negative long. */
    public KeyWriter number(long value) {
        require(value >= 0, value);
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((int) (value >> shift));
        }
        return this;
    }

    /** Topic, then number. */
    public KeyWriter partition(Partition partition) {
        return text(partition.topic()).integer(partition.number());
    }

    public KeyWriter scope(Scope scope) {
        ScopeKind.write(scope, this);
        return this;
    }

    public KeyWriter subscriber(Subscriber subscriber) {
        SubscriberKind.write(subscriber, this);
        return this;
    }

    /** What was written so far as a key. */
    public Bytes key() {
        return Bytes.of(Arrays.copyOf(buffer, size));
    }

    /** All keys that begin with the elements written so far, and none that begins with others. */
    public KeyRange under() {
        return new KeyRange(key(), end());
    }

    /** Behind every key that begins with the elements written so far, and before every greater one. */
    public Bytes end() {
        byte[] end = Arrays.copyOf(buffer, size + 1);
        end[size] = (byte) 0xFF;
        return Bytes.of(end);
    }

    private void putPair(String text, int at) {
        if (at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
            throw new IllegalArgumentException("text of a key has an unpaired surrogate at " + at);
        }
        int point = text.codePointAt(at);
        put(0xF0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3F));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    }

    private void room(int more) {
        if (size + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + more));
        }
    }

    private void put(int b) {
        if (size == buffer.length) {
            room(1);
        }
        buffer[size++] = (byte) b;
    }

    private static void require(boolean holds, long value) {
        if (!holds) {
            throw new IllegalArgumentException(value + " has no place in a key");
        }
    }
}
