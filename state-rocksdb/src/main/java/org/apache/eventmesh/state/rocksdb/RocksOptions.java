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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/** Every option of RocksDB that is not its default, each with its reason. Closed after the database that uses it. */
final class RocksOptions implements AutoCloseable {
    private static final long MIB = 1 << 20;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    // One for all families: the whole budget in one number. In four parts, since what is larger than its part is never
    // held: with the 32 that would be the default, a filter of a large file was read again by every look-up.
    private final Cache cache = own(new LRUCache(16 * MIB, 2));
    private final BloomFilter bloom = own(new BloomFilter(10)); // a miss costs 0.8 µs instead of a block read

    private final DBOptions database;
    private final ColumnFamilyOptions metadata;
    private final ColumnFamilyOptions small;
    private final ColumnFamilyOptions inFlight;
    private final WriteOptions synced = own(new WriteOptions()).setSync(true);
    private final WriteOptions unsynced = own(new WriteOptions());
    private final ReadOptions reads = own(new ReadOptions());

    RocksOptions(RocksSettings settings, boolean create) {
        database = database(settings, create);
        metadata = family(8 * MIB); // one key, rewritten by each batch: large enough to be flushed seldom
        small = family(4 * MIB); // scanned often: a small memtable keeps few dead versions in the way
        inFlight = family(16 * MIB); // put and deleted at once: most rows die before they reach a file
    }

    private DBOptions database(RocksSettings settings, boolean create) {
        DBOptions options = own(DBOptions.getDBOptionsFromProps(logsInManifest()));
        return options.setCreateIfMissing(create)
                // Only ever at the first opening: a family that is missing later is damage.
                .setCreateMissingColumnFamilies(create)
                // Stop at the first sign of damage instead of serving around it.
                .setParanoidChecks(true)
                // A torn tail is what a power loss leaves: drop it and what stands behind, never pick from behind it.
                // A flipped bit inside a log looks the same and drops all after it: that is what strict is for.
                .setWalRecoveryMode(
                        settings.strictRecovery()
                                ? WALRecoveryMode.AbsoluteConsistency
                                : WALRecoveryMode.PointInTimeRecovery)
                // A recycled log holds old records behind its end, and a torn tail could bring them back.
                .setRecycleLogFileNum(0)
                // Bounds what recovery reads, and what a rarely written family holds back.
                .setMaxTotalWalSize(64 * MIB)
                // One flush and one compaction: the machine belongs to the runtime around us.
                .setMaxBackgroundJobs(2)
                // Nothing was gained by concurrency, and there is one writer.
                .setAllowConcurrentMemtableWrite(false)
                // Properties are polled; statistics cost on every call, and their thread outlives what it reports.
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0)
                // RocksDB's own log of what it did: enough for a report of what recovery dropped, and bounded.
                .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
                .setMaxLogFileSize(4 * MIB)
                .setKeepLogFileNum(4)
                // We close and open again after a failed write, and look: its own resuming would race with that.
                .setMaxBgErrorResumeCount(0);
    }

    /** A closed log that is lost or cut is damage and not an end; there is no setter for this. */
    private static Properties logsInManifest() {
        Properties properties = new Properties();
        properties.setProperty("track_and_verify_wals_in_manifest", "true");
        return properties;
    }

    private ColumnFamilyOptions family(long memtable) {
        // Deletions in masses make scans slow until they are compacted away; only the combined options take this one.
        try (TablePropertiesCollectorFactory deletions =
                        TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(1000, 250, 0.5);
                Options combined = new Options()) {
            combined.setTablePropertiesCollectorFactory(List.of(deletions));
            return own(new ColumnFamilyOptions(combined))
                    .setWriteBufferSize(memtable)
                    // Compacting deletions away rewrites whole files: smaller ones.
                    .setTargetFileSizeBase(16 * MIB)
                    .setTableFormatConfig(new BlockBasedTableConfig()
                            .setBlockCache(cache)
                            .setFilterPolicy(bloom)
                            // Memory stays within the cache however many files there are; in small pieces, so that
                            // a look-up that misses the cache reads one piece and not the filter of a whole file.
                            .setCacheIndexAndFilterBlocks(true)
                            .setIndexType(IndexType.kTwoLevelIndexSearch)
                            .setPartitionFilters(true)
                            .setPinTopLevelIndexAndFilter(true));
        }
    }

    DBOptions database() {
        return database;
    }

    ColumnFamilyOptions metadata() {
        return metadata;
    }

    ColumnFamilyOptions small() {
        return small;
    }

    ColumnFamilyOptions inFlight() {
        return inFlight;
    }

    WriteOptions write(boolean sync) {
        return sync ? synced : unsynced;
    }

    ReadOptions reads() {
        return reads;
    }

    private <T extends AutoCloseable> T own(T handle) {
        open.push(handle);
        return handle;
    }

    /** Last opened, first closed: tables before their filter and cache. */
    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("closing a handle of RocksDB never throws", e);
            }
        }
    }
}
