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
package org.apache.eventmesh.state.engine;

import org.apache.eventmesh.state.value.Bytes;

/**
 * Keys from {@code from} (inclusive) to {@code to} (exclusive), in unsigned byte order.
 *
 * @param to not empty; there is no range to the end of the key space, since every key stands under a table
 */
public record KeyRange(Bytes from, Bytes to) {
    public KeyRange {
        if (from.compareTo(to) > 0) {
            throw new IllegalArgumentException("range from " + from + " to " + to + " is backwards");
        }
    }

    public boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && key.compareTo(to) < 0;
    }

    /** The part of this range behind a key, for the next page. */
    public KeyRange after(Bytes last) {
        byte[] next = java.util.Arrays.copyOf(last.toArray(), last.size() + 1);
        return new KeyRange(Bytes.of(next), to);
    }
}
