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
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SlowDiskTest {
    private static final String SYNCS_HANG = "inject=fdatasync:delay_enter=60000000";

    @TempDir
    Path directory;

    @Test
    void aSyncThatDoesNotEndStopsTheWritesUntilItHasEnded() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            // The first write reserves revisions, and is synced.
            child.send("put PROCESS first");
            child.await(line -> line.startsWith("1 applied"));
            long began;
            AtomicInteger sent = new AtomicInteger(1);
            try (Strace strace = Strace.attach(child.pid(), "-e", SYNCS_HANG)) {
                began = System.nanoTime();
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                    child.send("put PROCESS more");
                    String number = sent.incrementAndGet() + " ";
                    return child.await(line -> line.startsWith(number))
                            .startsWith(number + "failed StoreUnavailableException");
                });
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Progress.SYNC_WITHIN);
                child.await("health down"::equals);
                child.send("put DISK refused");
                String number = sent.incrementAndGet() + " ";
                assertThat(child.await(line -> line.startsWith(number)))
                        .startsWith(number + "failed StoreUnavailableException");
                child.send("health");
                child.await((sent.incrementAndGet() + " health false")::equals);
            }
            child.await("health up"::equals);
            child.send("put DISK accepted");
            String number = sent.incrementAndGet() + " applied";
            child.await(line -> line.startsWith(number));
            child.send("close");
            child.await(line -> line.endsWith("closed"));
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.inFlight("accepted"))).isPresent();
            assertThat(Engines.text(engine, Engines.inFlight("refused"))).isEmpty();
        }
    }

    @Test
    void aCallThatIsStuckDoesNotHoldTheCloseBeyondItsDeadline() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(2))) {
            child.send("put PROCESS first");
            child.await(line -> line.startsWith("1 applied"));
            try (Strace strace = Strace.attach(child.pid(), "-e", SYNCS_HANG)) {
                child.send("put PROCESS second");
                child.await(line -> line.startsWith("2 applied"));
                child.send("close");
                child.await("3 closed"::equals, Duration.ofSeconds(10));
                child.await(line -> line.contains("has not come back within 2000 ms"));
                child.send("put PROCESS third");
                child.await(line -> line.startsWith("4 failed StoreClosedException"));
            }
            // The call came back, and then all was given back.
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !new Holder(directory).exists());
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.inFlight("second"))).contains("second");
        }
    }
}
