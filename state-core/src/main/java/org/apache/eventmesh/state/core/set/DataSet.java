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
package org.apache.eventmesh.state.core.set;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.MetaRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** The format of everything under an engine: written once, when the data set is created, and checked at each opening. */
record DataSet(StoreSettings settings, String uri, MetaRecord.Role role) {
    /** The layout of keys and tables that this version writes and reads. */
    static final int FORMAT = 1;

    private static final Bytes KEY = KeyWriter.of(Table.META).text("data set").key();

    /** More than every table. */
    private static final KeyRange ANYTHING = new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 0xFF));

    /** Of a set over one backend. */
    static DataSet whole(StoreSettings settings) {
        return new DataSet(settings, settings.uri(), MetaRecord.Role.WHOLE);
    }

    /** Of the first backend of two. */
    static DataSet local(StoreSettings settings) {
        return new DataSet(settings, settings.uri(), MetaRecord.Role.LOCAL);
    }

    /** Of the second backend of two. */
    static DataSet shared(StoreSettings settings) {
        return new DataSet(settings, settings.shared().orElseThrow().uri(), MetaRecord.Role.SHARED);
    }

    /**
     * Checks the mark of an old data set, or that a new one has its place for itself. Writes nothing.
     *
     * @throws IncompatibleFormatException when another version wrote it
     */
    void check(Engine engine) {
        mark(engine).ifPresent(this::mustFit);
    }

    /**
     * Creates the mark of a new data set, or checks that of an old one.
     *
     * @throws IncompatibleFormatException when another version wrote it; nothing was changed
     */
    void begin(Engine engine) {
        mustFit(mark(engine).orElseGet(() -> create(engine)));
    }

    /** Empty when there is nothing at all. */
    private Optional<Entry> mark(Engine engine) {
        Optional<Entry> present = find(engine);
        if (present.isEmpty() && !result(engine.scan(ANYTHING, 1)).entries().isEmpty()) {
            // who created it a moment ago may have gone on to write
            present = find(engine);
            if (present.isEmpty()) {
                throw new IncompatibleFormatException("Opening " + uri
                        + ": it holds data, and no mark that says of which format. Nothing was changed; name an empty"
                        + " place, or open it with what wrote it");
            }
        }
        return present;
    }

    private Optional<Entry> find(Engine engine) {
        return result(engine.read(List.of(KEY))).stream().findAny();
    }

    private void mustFit(Entry mark) {
        MetaRecord read = read(mark);
        int format = read.getFormatVersion();
        if (format != FORMAT) {
            throw new IncompatibleFormatException("Opening " + uri + ": its data set has format " + format
                    + ", this version of the library reads format " + FORMAT
                    + ". Nothing was changed; open it with the version that wrote it, or name another place");
        }
        if (read.getRole() != role) {
            throw new IncompatibleFormatException("Opening " + uri + ": its data set is " + use(read.getRole())
                    + ", and it was opened as " + use(role) + ". Nothing was changed; open it as what it is, or name"
                    + " another place");
        }
    }

    private MetaRecord read(Entry mark) {
        try {
            return Records.META.decode(mark).record();
        } catch (IncompatibleFormatException e) {
            throw new IncompatibleFormatException("Opening " + uri + ": " + e.getMessage(), e);
        } catch (CorruptStateException e) {
            throw new CorruptStateException(
                    "Opening " + uri + ": " + e.getMessage() + ". Nothing was changed; restore a backup", e);
        }
    }

    private Entry create(Engine engine) {
        MetaRecord record = MetaRecord.newBuilder()
                .setFormatVersion(FORMAT)
                .setCreatedAtMillis(Millis.now(settings.clock()))
                .setCreatedBy(version())
                .setRole(role)
                .build();
        Bytes value = Records.META.encode(record);
        Commit commit = new Commit(List.of(Condition.absent(KEY)), List.of(Records.META.put(KEY, record)));
        CommitResult result =
                result(engine.commit(List.of(commit), Durability.DISK).get(0));
        if (result instanceof CommitResult.Applied applied) {
            return new Entry(KEY, value, applied.revision());
        }
        // another process created it at the same moment
        return find(engine)
                .orElseThrow(() -> new StoreUnavailableException(
                        "Opening " + uri + ": the mark of its data set was there and is gone; open it again"));
    }

    private static String use(MetaRecord.Role role) {
        return switch (role) {
            case WHOLE -> "that of a store set over one backend";
            case LOCAL -> "the local one of a store set over two";
            case SHARED -> "the shared one of a store set over two";
            case UNRECOGNIZED -> "one of a use that only a later version knows";
        };
    }

    private static String version() {
        return Optional.ofNullable(DataSet.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    /** Opening blocks; the engine's answer or the deadline, in real time since nothing serves an injected one yet. */
    private <T> T result(CompletionStage<T> stage) {
        Duration deadline = settings.deadline();
        try {
            return stage.toCompletableFuture().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StateStoreException failure
                    ? failure
                    : new IllegalStateException("Opening " + uri + ": the engine threw", e.getCause());
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    "Opening " + uri + ": the backend did not answer within " + deadline
                            + "; check that it runs, then open again",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Opening " + uri + ": interrupted; open it again", e);
        }
    }
}
