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
package org.apache.eventmesh.state.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.value.Bytes;

/** A value as it lies in the database: eight bytes of revision, then the content. */
final class StoredValue {
    static final int PREFIX = Long.BYTES;

    private StoredValue() {}

    static byte[] of(long revision, Bytes content) {
        byte[] stored = new byte[PREFIX + content.size()];
        ByteBuffer.wrap(stored).putLong(revision).put(content.buffer());
        return stored;
    }

    static Entry entry(Bytes key, byte[] stored) {
        long revision = revision(key, stored, stored.length);
        return new Entry(key, Bytes.of(Arrays.copyOfRange(stored, PREFIX, stored.length)), revision);
    }

    /**
     * The revision.
     *
     * @param stored at least its first eight bytes
     * @param size of the whole value
     */
    static long revision(Bytes key, byte[] stored, int size) {
        if (size < PREFIX) {
            throw new CorruptStateException(
                    "the value of the key " + hex(key) + " has " + size + " bytes, less than its"
                            + " revision needs; restore a checkpoint (docs/rocksdb.md) or delete that key");
        }
        return ByteBuffer.wrap(stored).getLong();
    }

    static String hex(Bytes key) {
        return java.util.HexFormat.of().formatHex(key.toArray());
    }
}
