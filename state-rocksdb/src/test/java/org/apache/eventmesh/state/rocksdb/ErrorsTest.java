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

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The two threads of the engine, without which nothing is synced or opened again, go on after an {@link Error}. */
class ErrorsTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final RocksSettings settings = RocksSettings.of(Map.of());
    private final AtomicInteger announced = new AtomicInteger();

    /** Whatever it is told, it throws. */
    private final EngineListener listener = new EngineListener() {
        @Override
        public void healthChanged(EngineHealth now) {
            announced.incrementAndGet();
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public void unknown(String what) {
            announced.incrementAndGet();
            throw new StackOverflowError("on purpose");
        }
    };

    private OpenDatabase first;
    private Availability availability;
    private Revisions revisions;

    @BeforeEach
    void open() throws RocksDBException {
        NativeLibrary.load();
        first = OpenDatabase.open(directory, settings, OpenDatabase.Life.BEGINS);
        availability = new Availability("rocksdb of the test", listener, first.database());
        revisions = new Revisions(first);
    }

    @AfterEach
    void close() throws InterruptedException, RocksDBException {
        Database last = availability.close();
        if (last != null) {
            assertThat(last.close(SOON)).isTrue();
        }
    }

    private Progress opened(Progress progress) {
        progress.opened(first.reserved());
        return progress;
    }

    private static Error error(int number) {
        return number % 2 == 0 ? new OutOfMemoryError("on purpose") : new StackOverflowError("on purpose");
    }

    private void write(Bytes key, long revision) throws RocksDBException, WriteFailedException {
        availability.database().write(List.of(Change.put(key, Bytes.utf8("v"))), revision, OptionalLong.empty(), false);
    }

    @Test
    void required_G02_errors_while_it_is_opened_again_are_not_the_end() throws Exception {
        Iterator<Error> errors = List.of(error(0), error(1), error(2)).iterator();
        Progress progress = opened(new Progress());
        Reopening reopening = new Reopening(availability, revisions, progress, first.incarnation(), () -> {
            if (errors.hasNext()) {
                throw errors.next();
            }
            return OpenDatabase.open(directory, settings, OpenDatabase.Life.GOES_ON);
        });
        CompletableFuture<CommitResult> doubtful = new CompletableFuture<>();

        reopening.afterWrite(
                first.database(),
                new RocksDBException("failed on purpose"),
                new Doubt(revisions.next(), List.of(doubtful)));

        assertThatThrownBy(() ->
                        doubtful.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join())
                .hasCauseInstanceOf(StoreUnavailableException.class);
        reopening.join();
        assertThat(errors.hasNext()).isFalse();
        assertThat(announced).hasValueGreaterThanOrEqualTo(3);
        assertThat(availability.health().up()).isTrue();
        Bytes key = Engines.inFlight("after");
        write(key, revisions.next());
        assertThat(availability.database().entry(key)).isPresent();
        reopening.stop();
    }

    @Test
    void required_G02_errors_while_the_new_database_is_taken_up_leave_it_to_the_next_try() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Progress progress = opened(new Progress() {
            @Override
            synchronized void opened(long revision) {
                // the first call is that of the test
                if (tries.getAndIncrement() % 3 != 0) {
                    throw error(tries.get());
                }
                super.opened(revision);
            }
        });
        Reopening reopening = reopening(progress);

        reopening.afterSync(first.database(), new RocksDBException("failed on purpose"));

        Awaitility.await()
                .atMost(SOON)
                .until(() -> tries.get() == 4 && availability.health().up());
        reopening.join();
        Bytes key = Engines.inFlight("after");
        write(key, revisions.next());
        assertThat(availability.database().entry(key)).isPresent();
        reopening.stop();
    }

    @Test
    void required_G03_after_errors_what_was_written_is_synced() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        Progress progress = opened(new Progress() {
            @Override
            synchronized long beginSync(long now) {
                long revision = super.beginSync(now);
                if (begun.getAndIncrement() < 3) {
                    throw error(begun.get());
                }
                return revision;
            }
        });
        Reopening reopening = reopening(progress);
        BackgroundSync sync = new BackgroundSync(availability, progress, reopening);
        sync.start();
        try {
            for (int round = 0; round < 2; round++) {
                long revision = revisions.next();
                write(Engines.inFlight("k" + round), revision);
                revisions.written();
                sync.applied(revision, System.nanoTime());

                Awaitility.await().atMost(SOON).until(() -> progress.synced() >= revision);
            }
            assertThat(begun).hasValueGreaterThanOrEqualTo(5);
            Awaitility.await().atMost(SOON).until(progress::isSynced);
            assertThat(sync.overdue()).isNull();
        } finally {
            sync.stop();
            reopening.stop();
        }
    }

    @Test
    void required_G03_a_sync_that_found_no_database_is_made_up_for_when_there_is_one() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Progress progress = opened(new Progress() {
            @Override
            synchronized long beginSync(long now) {
                begun.countDown();
                return super.beginSync(now);
            }
        });
        Reopening reopening = reopening(progress);
        BackgroundSync sync = new BackgroundSync(availability, progress, reopening);
        long revision = revisions.next();
        write(Engines.inFlight("k"), revision);
        revisions.written();
        // as between the two steps of taking up a database that was opened again
        availability.away("on purpose");
        sync.start();
        try {
            sync.applied(revision, System.nanoTime());
            assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(availability.back(first.database())).isTrue();

            Awaitility.await().atMost(SOON).until(() -> progress.synced() >= revision && progress.isSynced());
            assertThat(sync.overdue()).isNull();
        } finally {
            sync.stop();
            reopening.stop();
        }
    }

    private Reopening reopening(Progress progress) {
        return new Reopening(
                availability,
                revisions,
                progress,
                first.incarnation(),
                () -> OpenDatabase.open(directory, settings, OpenDatabase.Life.GOES_ON));
    }
}
