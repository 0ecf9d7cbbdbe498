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

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** Reads a key, element by element, in the order in which {@link KeyWriter} wrote it. */
public final class KeyReader {
    private final ByteBuffer rest;

    private KeyReader(Bytes key) {
        rest = key.buffer();
    }

    /** The shape of a key's elements. */
    @FunctionalInterface
    public interface Shape<T> {
        T read(KeyReader elements);
    }

    /**
     * All elements of a key of that table.
     *
     * @throws CorruptStateException when it is not a key of the table, or has more or other elements than the shape
     */
    public static <T> T read(Table table, Bytes key, Shape<T> shape) {
        KeyReader reader = new KeyReader(key);
        try {
            if (reader.kind() != table.number()) {
                throw new IllegalArgumentException("it is of another table");
            }
            T read = shape.read(reader);
            if (reader.rest.hasRemaining()) {
                throw new IllegalArgumentException(reader.rest.remaining() + " bytes too many");
            }
            return read;
        } catch (IllegalArgumentException e) {
            throw new CorruptStateException(
                    "Key " + KeyText.of(key) + " is not one of " + table + ": " + e.getMessage()
                            + "; the record was left as it is, remove it or restore a backup",
                    e);
        }
    }

    static KeyReader of(Bytes key) {
        return new KeyReader(key);
    }

    int remaining() {
        return rest.remaining();
    }

    public String text() {
        ByteBuffer raw = ByteBuffer.allocate(rest.remaining());
        for (int b = kind(); !(b == 0 && !escaped()); b = kind()) {
            raw.put((byte) b);
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(raw.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("text is not UTF-8", e);
        }
    }

    public int kind() {
        require(1);
        return rest.get() & 0xFF;
    }

    public int integer() {
        require(4);
        return (int) notNegative(rest.getInt());
    }

    public long number() {
        require(8);
        return notNegative(rest.getLong());
    }

    public Partition partition() {
        return new Partition(text(), integer());
    }

    public Scope scope() {
        return ScopeKind.read(this);
    }

    public Subscriber subscriber() {
        return SubscriberKind.read(this);
    }

    /** Whether the NUL just read stands for itself; then its escape is read too. */
    private boolean escaped() {
        if (rest.hasRemaining() && rest.get(rest.position()) == (byte) 0xFF) {
            rest.get();
            return true;
        }
        return false;
    }

    private void require(int bytes) {
        if (rest.remaining() < bytes) {
            throw new IllegalArgumentException("it ends too early");
        }
    }

    private static long notNegative(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a number is negative");
        }
        return value;
    }
}
