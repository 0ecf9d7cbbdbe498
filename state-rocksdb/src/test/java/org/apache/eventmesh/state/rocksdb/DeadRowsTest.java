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

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

import static org.assertj.core.api.Assertions.assertThat;

/** What a scan wades through, counted by RocksDB itself: rows that were deleted and are still in its files. */
class DeadRowsTest {
    private static final KeyRange EVERYTHING = new KeyRange(Bytes.EMPTY, Bytes.of((byte) 0xFF));
    private static final int MEMTABLE = 16 << 20;
    private static final int VALUE = 300;
    private static final int OPEN = 2_000;
    private static final int ROUNDS = 100;

    private static final List<String> BUSY =
            List.of("mem-table-flush-pending", "num-running-flushes", "compaction-pending", "num-running-compactions");

    /** At most so many rows are put into one memtable, and deleted again. */
    private static final int ROWS_OF_A_MEMTABLE = MEMTABLE / VALUE;

    @TempDir
    Path directory;

    @Test
    void required_D10_a_scan_of_what_is_open_wades_through_a_memtable_of_dead_rows_however_many_were_deleted()
            throws RocksDBException {
        NativeLibrary.load();
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try (RocksOptions options = new RocksOptions(RocksSettings.of(Map.of()), true);
                WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
                RocksDB rocks = RocksDB.open(
                        options.database(),
                        directory.toString(),
                        List.of(
                                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.metadata()),
                                new ColumnFamilyDescriptor(
                                        "in-flight".getBytes(StandardCharsets.UTF_8), options.inFlight())),
                        families)) {
            rocks.setPerfLevel(PerfLevel.ENABLE_COUNT);
            ColumnFamilyHandle inFlight = families.get(1);
            List<Long> waded = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                try (WriteBatch batch = new WriteBatch()) {
                    for (int number = round * OPEN; number < (round + 1) * OPEN; number++) {
                        batch.put(inFlight, key(number), new byte[VALUE]);
                        batch.delete(inFlight, key(number - OPEN));
                    }
                    rocks.write(unlogged, batch);
                }
                awaitRest(rocks, inFlight);
                waded.add(waded(rocks, inFlight));
            }
            assertThat(waded)
                    .as("dead rows in the way, after each %d that were deleted", OPEN)
                    .allSatisfy(dead -> assertThat(dead).isLessThan(2L * ROWS_OF_A_MEMTABLE));
            assertThat(ROUNDS * OPEN).as("all that were deleted").isGreaterThan(3 * ROWS_OF_A_MEMTABLE);
            families.forEach(ColumnFamilyHandle::close);
        }
    }

    /** By the scan itself, in this thread, whose counts these are. */
    private static long waded(RocksDB rocks, ColumnFamilyHandle inFlight) throws RocksDBException {
        rocks.getPerfContext().reset();
        RangeScan scan = new RangeScan(rocks, EVERYTHING, OPEN + 1);
        scan.read(inFlight);
        assertThat(scan.slice(0).entries()).as("what is open").hasSize(OPEN);
        return rocks.getPerfContext().getInternalDeleteSkippedCount();
    }

    private static void awaitRest(RocksDB rocks, ColumnFamilyHandle inFlight) {
        Awaitility.await("flushes and compactions under way")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    long busy = 0;
                    for (String what : BUSY) {
                        busy += rocks.getLongProperty(inFlight, "rocksdb." + what);
                    }
                    return busy == 0;
                });
    }

    private static byte[] key(int number) {
        return Engines.inFlight(String.format("%09d", number + OPEN)).toArray();
    }
}
