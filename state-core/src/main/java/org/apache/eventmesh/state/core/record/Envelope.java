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
package org.apache.eventmesh.state.core.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The first five bytes of every value: the format, and a CRC-32C (high byte first) of the format and the record. The envelope
 * is the same in every format, so that damage and what a later version wrote are told apart.
 */
final class Envelope {
    /** The format that this version writes. Each version also reads the one before and tolerates the next. */
    static final int FORMAT = 1;

    static final int SIZE = 5;

    private Envelope() {}

    static Bytes seal(byte[] record) {
        return seal(FORMAT, record);
    }

    static Bytes seal(int format, byte[] record) {
        ByteBuffer sealed = ByteBuffer.allocate(SIZE + record.length);
        sealed.put((byte) format)
                .putInt(checksum(format, ByteBuffer.wrap(record)))
                .put(record);
        return Bytes.of(sealed.array());
    }

    /** The format of a value that is long enough to have one. */
    static int format(Bytes value) {
        return value.buffer().get(0) & 0xFF;
    }

    static boolean intact(Bytes value) {
        ByteBuffer sealed = value.buffer();
        return sealed.getInt(1) == checksum(format(value), record(value));
    }

    /** What stands behind the envelope, without a copy. */
    static ByteBuffer record(Bytes value) {
        return value.buffer().position(SIZE).slice();
    }

    private static int checksum(int format, ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(format);
        crc.update(record);
        return (int) crc.getValue();
    }
}
