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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.rocksdb.RocksDBException;

/**
 * A database that was opened, and what it says of its past. Everything that recovery found is synced.
 *
 * @param lastCommitted revision of the last batch that is there
 * @param reserved no revision above it was ever handed out
 */
record OpenDatabase(Database database, String incarnation, long lastCommitted, long reserved) {

    /** What is there, or the beginning of a new life. */
    enum Life {
        /** The data must be there. */
        GOES_ON,
        /** The first opening, perhaps not the first try. */
        BEGINS,
        /** A restored copy: the data is there, its life is another. */
        BEGINS_AGAIN
    }

    /** Leaves nothing open when it fails. */
    static OpenDatabase open(Path directory, RocksSettings settings, Life life) throws RocksDBException {
        UnseenDamage.treat(directory, settings.strictRecovery());
        Database database = Database.open(directory, settings, life == Life.BEGINS);
        try {
            if (settings.verifyTables()) {
                database.verify();
            }
            OpenDatabase opened = takeUp(directory, database, life);
            LeastSizes.write(directory);
            return opened;
        } catch (IOException e) {
            closeUnused(database);
            throw new StoreUnavailableException(
                    LeastSizes.NAME + " cannot be written in " + directory + ": " + e + "; look at the disk", e);
        } catch (RocksDBException | RuntimeException | Error e) {
            closeUnused(database);
            throw e;
        }
    }

    private static OpenDatabase takeUp(Path directory, Database database, Life life) throws RocksDBException {
        long format = number(database, Metadata.FORMAT).orElse((long) Metadata.FORMAT_VERSION);
        if (format != Metadata.FORMAT_VERSION) {
            throw new IncompatibleFormatException(
                    directory + " holds state of format " + format + "; this version reads format "
                            + Metadata.FORMAT_VERSION + ": open it with the version that wrote it");
        }
        Optional<String> known = database.metadata(Metadata.INCARNATION)
                .map(stored -> new String(stored, StandardCharsets.UTF_8))
                .filter(stored -> life != Life.BEGINS_AGAIN);
        if (known.isEmpty() && life == Life.GOES_ON) {
            throw new CorruptStateException(
                    directory + " holds a RocksDB database without the records that this library keeps in it;"
                            + " restore a checkpoint (docs/rocksdb.md)");
        }
        long last = number(database, Metadata.LAST).orElse(0L);
        // One more, so that no two openings ever hand out the same: a batch is known by its revision.
        long reserved = Math.max(last, number(database, Metadata.RESERVED).orElse(0L)) + 1;
        // Synced writes: from here on what recovery found is durable, and what it dropped cannot come back.
        database.putMetadata(Metadata.RESERVED, Database.number(reserved));
        if (known.isPresent()) {
            return new OpenDatabase(database, known.get(), last, reserved);
        }
        String incarnation = UUID.randomUUID().toString();
        database.putMetadata(Metadata.FORMAT, Database.number(Metadata.FORMAT_VERSION));
        database.putMetadata(Metadata.INCARNATION, incarnation.getBytes(StandardCharsets.UTF_8));
        return new OpenDatabase(database, incarnation, last, reserved);
    }

    private static Optional<Long> number(Database database, Metadata record) throws RocksDBException {
        Optional<byte[]> stored = database.metadata(record);
        if (stored.isPresent() && stored.get().length != Long.BYTES) {
            throw new CorruptStateException(
                    "the record " + record + " of the database is damaged; restore a checkpoint (docs/rocksdb.md)");
        }
        return stored.map(bytes -> ByteBuffer.wrap(bytes).getLong());
    }

    /** Nobody else has it yet, so nobody is inside. */
    static void closeUnused(Database database) {
        try {
            database.close(Duration.ZERO);
        } catch (RocksDBException e) {
            // The failure that brought us here says more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
