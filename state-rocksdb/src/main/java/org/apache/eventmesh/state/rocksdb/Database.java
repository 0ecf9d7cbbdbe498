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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * One opening of the database: owns every native handle, and lets nobody touch one but inside the guard. Every method
 * throws {@link Guard.ClosedException} when it came too late.
 */
final class Database {
    /** The first byte of a key from which on it belongs to the family of what is put and deleted all the time. */
    private static final int FIRST_IN_FLIGHT_TABLE = 0x80;

    private final RocksOptions options;
    private final RocksDB rocks;
    private final ColumnFamilyHandle metadata;
    private final ColumnFamilyHandle small;
    private final ColumnFamilyHandle inFlight;
    private final Guard guard = new Guard();

    private Database(RocksOptions options, RocksDB rocks, List<ColumnFamilyHandle> families) {
        this.options = options;
        this.rocks = rocks;
        this.metadata = families.get(0);
        this.small = families.get(1);
        this.inFlight = families.get(2);
    }

    /** Leaves nothing open when it fails. */
    static Database open(Path directory, RocksSettings settings, boolean create) throws RocksDBException {
        RocksOptions options = new RocksOptions(settings, create);
        try {
            List<ColumnFamilyHandle> families = new ArrayList<>();
            RocksDB rocks = RocksDB.open(
                    options.database(),
                    directory.toString(),
                    List.of(
                            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.metadata()),
                            new ColumnFamilyDescriptor(name("small"), options.small()),
                            new ColumnFamilyDescriptor(name("in-flight"), options.inFlight())),
                    families);
            return new Database(options, rocks, families);
        } catch (RocksDBException | RuntimeException | Error e) {
            options.close();
            throw e;
        }
    }

    private static byte[] name(String family) {
        return Bytes.utf8(family).toArray();
    }

    Optional<byte[]> metadata(Metadata record) throws RocksDBException {
        long stamp = guard.enter();
        try {
            return Optional.ofNullable(rocks.get(metadata, options.reads(), record.key()));
        } finally {
            guard.leave(stamp);
        }
    }

    /** Synced. */
    void putMetadata(Metadata record, byte[] value) throws RocksDBException {
        long stamp = guard.enter();
        try {
            rocks.put(metadata, options.write(true), record.key(), value);
        } finally {
            guard.leave(stamp);
        }
    }

    Optional<Entry> entry(Bytes key) throws RocksDBException {
        long stamp = guard.enter();
        try {
            byte[] stored = rocks.get(family(key), options.reads(), key.toArray());
            return stored == null ? Optional.empty() : Optional.of(StoredValue.entry(key, stored));
        } finally {
            guard.leave(stamp);
        }
    }

    /** Without copying the value: conditions are read far more often than they fail. */
    long revision(Bytes key) throws RocksDBException {
        long stamp = guard.enter();
        try {
            byte[] prefix = new byte[StoredValue.PREFIX];
            int size = rocks.get(family(key), options.reads(), key.toArray(), prefix);
            return size == RocksDB.NOT_FOUND ? Condition.ABSENT : StoredValue.revision(key, prefix, size);
        } finally {
            guard.leave(stamp);
        }
    }

    /** All of one moment. */
    List<Entry> entries(Collection<Bytes> keys) throws RocksDBException {
        List<Bytes> ordered = List.copyOf(keys);
        List<byte[]> raw = new ArrayList<>(ordered.size());
        List<ColumnFamilyHandle> families = new ArrayList<>(ordered.size());
        for (Bytes key : ordered) {
            raw.add(key.toArray());
            families.add(family(key));
        }
        long stamp = guard.enter();
        try {
            // the library refuses to read nothing
            List<byte[]> stored = raw.isEmpty() ? List.of() : rocks.multiGetAsList(options.reads(), families, raw);
            List<Entry> present = new ArrayList<>(ordered.size());
            for (int i = 0; i < ordered.size(); i++) {
                byte[] value = stored.get(i);
                if (value != null) {
                    present.add(StoredValue.entry(ordered.get(i), value));
                }
            }
            return present;
        } finally {
            guard.leave(stamp);
        }
    }

    /** @param revision every commit up to it was applied before this call */
    Slice scan(KeyRange range, int limit, long revision) throws RocksDBException {
        long stamp = guard.enter();
        try {
            RangeScan scan = new RangeScan(rocks, range, limit);
            for (ColumnFamilyHandle family : families(range)) {
                scan.read(family);
            }
            return scan.slice(revision);
        } finally {
            guard.leave(stamp);
        }
    }

    /**
     * Writes all changes under the revision as one batch.
     *
     * @param reserve the new highest revision that may be handed out, when it rises
     * @throws WriteFailedException whether it was applied is not known
     */
    void write(List<Change> changes, long revision, OptionalLong reserve, boolean sync)
            throws RocksDBException, WriteFailedException {
        long stamp = guard.enter();
        try (WriteBatch batch = new WriteBatch()) {
            for (Change change : changes) {
                if (change instanceof Change.Put put) {
                    batch.put(family(put.key()), put.key().toArray(), StoredValue.of(revision, put.value()));
                } else {
                    batch.delete(family(change.key()), change.key().toArray());
                }
            }
            batch.put(metadata, Metadata.LAST.key(), number(revision));
            if (reserve.isPresent()) {
                batch.put(metadata, Metadata.RESERVED.key(), number(reserve.getAsLong()));
            }
            try {
                rocks.write(options.write(sync), batch);
            } catch (RocksDBException e) {
                throw new WriteFailedException(e);
            }
        } finally {
            guard.leave(stamp);
        }
    }

    /** Syncs every write that has returned. */
    void sync() throws RocksDBException {
        long stamp = guard.enter();
        try {
            rocks.syncWal();
        } finally {
            guard.leave(stamp);
        }
    }

    /** Reads every file and compares its checksums. */
    void verify() throws RocksDBException {
        long stamp = guard.enter();
        try {
            rocks.verifyChecksum();
        } finally {
            guard.leave(stamp);
        }
    }

    /** Synced; on the same file system of hard links. */
    void checkpoint(Path target) throws RocksDBException {
        long stamp = guard.enter();
        try (Checkpoint checkpoint = Checkpoint.create(rocks)) {
            checkpoint.createCheckpoint(target.toString());
        } finally {
            guard.leave(stamp);
        }
    }

    /**
     * Closes once nobody is inside; {@code false} when somebody still is, and then nothing was freed: a leak is better
     * than a dead JVM. Ask again. Not for two threads at once.
     */
    boolean close(Duration atMost) throws InterruptedException, RocksDBException {
        if (!guard.drain(atMost)) {
            return false;
        }
        try {
            rocks.closeE(); // closes its families first
        } finally {
            options.close();
        }
        return true;
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private ColumnFamilyHandle family(Bytes key) {
        return isInFlight(key) ? inFlight : small;
    }

    private static boolean isInFlight(Bytes key) {
        return key.size() > 0 && (key.buffer().get(0) & 0xFF) >= FIRST_IN_FLIGHT_TABLE;
    }

    private List<ColumnFamilyHandle> families(KeyRange range) {
        if (isInFlight(range.from())) {
            return List.of(inFlight);
        }
        return isInFlight(range.to()) ? List.of(small, inFlight) : List.of(small);
    }
}
