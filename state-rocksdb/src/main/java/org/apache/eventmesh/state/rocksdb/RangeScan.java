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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Collects the first entries of a range, family by family, within bounds of count and bytes. Lives inside the guard. */
final class RangeScan {
    /** A slice is held in memory at once, whatever the size of its values. */
    static final long BYTES_PER_SLICE = 4 << 20;

    private final RocksDB rocks;
    private final KeyRange range;
    private final int limit;
    private final List<Entry> entries = new ArrayList<>();
    private long bytes;
    private boolean more;

    /** Of what the first family showed; families behind it are read later, and so show at least as much. */
    private OptionalLong newest = OptionalLong.empty();

    RangeScan(RocksDB rocks, KeyRange range, int limit) {
        this.rocks = rocks;
        this.range = range;
        this.limit = limit;
    }

    /** Families are handed over in the order of their keys. */
    void read(ColumnFamilyHandle family) throws RocksDBException {
        if (more) {
            return;
        }
        // The bound inside RocksDB keeps it from wading through dead rows behind the range.
        try (org.rocksdb.Slice end = new org.rocksdb.Slice(range.to().toArray());
                ReadOptions options = new ReadOptions().setIterateUpperBound(end);
                RocksIterator rows = rocks.newIterator(family, options)) {
            for (rows.seek(range.from().toArray()); rows.isValid() && !more; rows.next()) {
                take(rows);
            }
            rows.status();
        }
        if (newest.isEmpty()) {
            newest = OptionalLong.of(
                    entries.stream().mapToLong(Entry::revision).max().orElse(0));
        }
    }

    private void take(RocksIterator row) {
        byte[] stored = row.value();
        byte[] key = row.key();
        int size = key.length + stored.length;
        boolean full = entries.size() == limit || bytes + size > BYTES_PER_SLICE;
        // One entry always fits, or a reader would never get past a large one.
        if (full && !entries.isEmpty()) {
            more = true;
            return;
        }
        entries.add(StoredValue.entry(Bytes.of(key), stored));
        bytes += size;
    }

    /**
     * What was read.
     *
     * @param applied before the scan began; a commit that came while it did is in it whole, and all before that one
     */
    Slice slice(long applied) {
        return new Slice(entries, Math.max(applied, newest.orElse(0)), more);
    }
}
