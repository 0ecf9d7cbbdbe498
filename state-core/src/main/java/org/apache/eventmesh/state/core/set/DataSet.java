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
final class DataSet {
    /** The layout of keys and tables that this version writes and reads. */
    static final int FORMAT = 1;

    private static final Bytes KEY = KeyWriter.of(Table.META).text("data set").key();

    /** More than every table. */
    private static final KeyRange ANYTHING = new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 0xFF));

    private DataSet() {}

    /**
     * Creates the mark of a new data set, or checks that of an old one.
     *
     * @throws IncompatibleFormatException when another version wrote it; nothing was changed
     */
    static void check(Engine engine, StoreSettings settings) {
        Optional<Entry> present =
                result(settings, engine.read(List.of(KEY))).stream().findAny();
        Entry mark = present.orElseGet(() -> create(engine, settings));
        int format = formatOf(mark, settings);
        if (format != FORMAT) {
            throw new IncompatibleFormatException("Opening " + settings.uri() + ": its data set has format " + format
                    + ", this version of the library reads format " + FORMAT
                    + ". Nothing was changed; open it with the version that wrote it, or name another place");
        }
    }

    private static int formatOf(Entry mark, StoreSettings settings) {
        try {
            return Records.META.decode(mark).record().getFormatVersion();
        } catch (IncompatibleFormatException e) {
            throw new IncompatibleFormatException("Opening " + settings.uri() + ": " + e.getMessage(), e);
        } catch (CorruptStateException e) {
            throw new CorruptStateException(
                    "Opening " + settings.uri() + ": " + e.getMessage() + ". Nothing was changed; restore a backup", e);
        }
    }

    private static Entry create(Engine engine, StoreSettings settings) {
        if (!result(settings, engine.scan(ANYTHING, 1)).entries().isEmpty()) {
            throw new IncompatibleFormatException("Opening " + settings.uri()
                    + ": it holds data, and no mark that says of which format. Nothing was changed; name an empty place,"
                    + " or open it with what wrote it");
        }
        MetaRecord record = MetaRecord.newBuilder()
                .setFormatVersion(FORMAT)
                .setCreatedAtMillis(Millis.now(settings.clock()))
                .setCreatedBy(version())
                .build();
        Bytes value = Records.META.encode(record);
        Commit commit = new Commit(List.of(Condition.absent(KEY)), List.of(Records.META.put(KEY, record)));
        CommitResult result =
                result(settings, engine.commit(List.of(commit), Durability.DISK).get(0));
        if (result instanceof CommitResult.Applied applied) {
            return new Entry(KEY, value, applied.revision());
        }
        // another process created it at the same moment
        return result(settings, engine.read(List.of(KEY))).stream()
                .findAny()
                .orElseThrow(() -> new StoreUnavailableException("Opening " + settings.uri()
                        + ": the mark of its data set was there and is gone; open it again"));
    }

    private static String version() {
        return Optional.ofNullable(DataSet.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    /** Opening blocks; the engine's answer or the deadline, in real time since nothing serves an injected one yet. */
    private static <T> T result(StoreSettings settings, CompletionStage<T> stage) {
        Duration deadline = settings.deadline();
        try {
            return stage.toCompletableFuture().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StateStoreException failure
                    ? failure
                    : new IllegalStateException("Opening " + settings.uri() + ": the engine threw", e.getCause());
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    "Opening " + settings.uri() + ": the backend did not answer within " + deadline
                            + "; check that it runs, then open again",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Opening " + settings.uri() + ": interrupted; open it again", e);
        }
    }
}
