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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * How far a file is whole that has the form of RocksDB's logs, as its MANIFEST has too: blocks of 32 KiB with records in
 * them, each behind a checksum, its length and its type. We look before RocksDB does, since it does not see all damage.
 *
 * @param end what stands behind the last whole record
 * @param at where that begins, in bytes
 * @param size of the file, in bytes
 * @param first sequence number of the first batch of writes, in a log; empty when there is none
 * @param next sequence number behind the last whole batch, in a log; empty when there is none
 */
record LogFile(End end, long at, long size, OptionalLong first, OptionalLong next) {
    enum End {
        /** Nothing. */
        WHOLE,
        /** A record that the end of the file cuts off, as a crash leaves it. */
        TORN,
        /** Zeros up to the end, as a power loss may leave them. RocksDB skips them in silence. */
        ZEROED,
        /** A record with a wrong checksum or an impossible length. RocksDB sees that too. */
        DAMAGED,
        /**
         * What RocksDB takes for no record of this file, so that it neither reports it nor compares a checksum: it ends
         * there in silence or goes on behind it, and in a MANIFEST it stays there for ever.
         */
        UNSEEN
    }

    private static final int BLOCK = 32 << 10;
    private static final int HEADER = 7;
    private static final int CRC_MASK = 0xa282ead8;

    /** A record that is none, for RocksDB to see. */
    static ByteBuffer damage() {
        ByteBuffer record = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        crc.update(Batches.FULL);
        return record.putInt(~(Integer.rotateRight((int) crc.getValue(), 15) + CRC_MASK))
                .putShort((short) 0)
                .put((byte) Batches.FULL)
                .flip();
    }

    static LogFile read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            Batches batches = new Batches();
            ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
            for (long start = 0; start < size; start += BLOCK) {
                fill(channel, start, block);
                while (block.remaining() >= HEADER) {
                    long at = start + block.position();
                    End end = next(block, start + block.limit() == size, batches);
                    if (end != End.WHOLE) {
                        boolean zeroed = end == End.UNSEEN && isZero(channel, at, size);
                        return batches.found(zeroed ? End.ZEROED : end, at, size);
                    }
                }
                // a full block ends with zeros when there is no room for a header
                if (block.hasRemaining() && block.limit() < BLOCK) {
                    return batches.found(End.TORN, start + block.position(), size);
                }
            }
            return batches.found(End.WHOLE, size, size);
        }
    }

    /** Goes behind the next record if that is whole. */
    private static End next(ByteBuffer block, boolean last, Batches batches) {
        int at = block.position();
        int length = Short.toUnsignedInt(block.getShort(at + 4));
        int type = Byte.toUnsignedInt(block.get(at + 6));
        if (isUnseen(type, length)) {
            return End.UNSEEN;
        }
        if (HEADER + length > block.remaining()) {
            return last ? End.TORN : End.DAMAGED;
        }
        CRC32C crc = new CRC32C();
        crc.update(block.slice(at + HEADER - 1, length + 1));
        int value = (int) crc.getValue();
        if (Integer.rotateRight(value, 15) + CRC_MASK != block.getInt(at)) {
            return End.DAMAGED;
        }
        batches.add(type, block.slice(at + HEADER, length).order(ByteOrder.LITTLE_ENDIAN));
        block.position(at + HEADER + length);
        return End.WHOLE;
    }

    /** Types of logs that are recycled, as ours never are, are compared with another log's number first; zeros are skipped. */
    private static boolean isUnseen(int type, int length) {
        return switch (type) {
            case 0 -> length == 0;
            case 5, 6, 7, 8, 11, 131 -> true;
            default -> false;
        };
    }

    private static boolean isZero(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(BLOCK);
        for (long at = from; at < to; at += some.limit()) {
            fill(channel, at, some);
            while (some.hasRemaining()) {
                if (some.get() != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A batch of writes begins with its sequence number and the number of its writes, and may lie in several records. */
    private static final class Batches {
        private static final int FULL = 1;
        private static final int FIRST = 2;
        private static final int LAST = 4;
        private static final int START = Long.BYTES + Integer.BYTES;

        private final ByteBuffer start = ByteBuffer.allocate(START).order(ByteOrder.LITTLE_ENDIAN);
        private OptionalLong first = OptionalLong.empty();
        private OptionalLong next = OptionalLong.empty();

        void add(int type, ByteBuffer content) {
            if (type > LAST) {
                return;
            }
            if (type == FULL || type == FIRST) {
                start.clear();
            }
            while (start.hasRemaining() && content.hasRemaining()) {
                start.put(content.get());
            }
            if ((type == FULL || type == LAST) && !start.hasRemaining()) {
                long number = start.getLong(0);
                first = first.isPresent() ? first : OptionalLong.of(number);
                next = OptionalLong.of(number + Integer.toUnsignedLong(start.getInt(Long.BYTES)));
            }
        }

        LogFile found(End end, long at, long size) {
            return new LogFile(end, at, size, first, next);
        }
    }

    private static void fill(FileChannel channel, long from, ByteBuffer into) throws IOException {
        into.clear();
        while (into.hasRemaining() && channel.read(into, from + into.position()) >= 0) {}
        into.flip();
    }
}
