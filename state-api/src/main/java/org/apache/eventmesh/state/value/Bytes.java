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
package org.apache.eventmesh.state.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Immutable bytes, equal by content, ordered as unsigned bytes. */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** A copy of the array. */
    public static Bytes of(byte... content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /** The UTF-8 form of the text. */
    public static Bytes utf8(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of the content. */
    public byte[] toArray() {
        return content.clone();
    }

    /** A read-only view without a copy. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(content).asReadOnlyBuffer();
    }

    /** The content as UTF-8 text; malformed bytes become the replacement character. */
    public String toUtf8() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** In bytes. */
    public int size() {
        return content.length;
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(content, other.content);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Bytes b && Arrays.equals(content, b.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** The size only: content may be large or private. */
    @Override
    public String toString() {
        return "Bytes[" + content.length + "]";
    }
}
