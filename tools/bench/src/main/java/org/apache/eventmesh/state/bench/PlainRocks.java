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
package org.apache.eventmesh.state.bench;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What a cycle writes, without anything that decides about it: message, delivery and position are put, then both records
 * are deleted, a mark and the position are put. As many cycles in a batch as would be outstanding, unsynced.
 */
final class PlainRocks {
    private static final int RECORD = 100;
    private static final byte MESSAGE = 1;
    private static final byte DELIVERY = 2;
    private static final byte MARK = 3;
    private static final byte[] POSITION = {4};

    private final Path place;

    PlainRocks(Path place) {
        this.place = place;
    }

    /** Cycles a second. */
    long run(int seconds, int atOnce) throws RocksDBException {
        RocksDB.loadLibrary();
        try (Options options = new Options().setCreateIfMissing(true).setWriteBufferSize(16 << 20);
                WriteOptions unsynced = new WriteOptions();
                RocksDB rocks = RocksDB.open(options, place.resolve("plain").toString())) {
            byte[] record = new byte[RECORD];
            byte[] payload = new byte[OpenAndAck.PAYLOAD];
            long begun = System.nanoTime();
            long end = begun + TimeUnit.SECONDS.toNanos(seconds);
            long cycles = 0;
            for (; System.nanoTime() < end; cycles += atOnce) {
                try (WriteBatch opened = new WriteBatch();
                        WriteBatch acked = new WriteBatch()) {
                    for (long number = cycles; number < cycles + atOnce; number++) {
                        opened.put(key(MESSAGE, number), payload);
                        opened.put(key(DELIVERY, number), record);
                        acked.delete(key(MESSAGE, number));
                        acked.delete(key(DELIVERY, number));
                        acked.put(key(MARK, number), record);
                    }
                    opened.put(POSITION, record);
                    rocks.write(unsynced, opened);
                    acked.put(POSITION, record);
                    rocks.write(unsynced, acked);
                }
            }
            return cycles * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
        }
    }

    private static byte[] key(byte kind, long number) {
        return ByteBuffer.allocate(Byte.BYTES + Long.BYTES)
                .put(kind)
                .putLong(number)
                .array();
    }
}
