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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class BackgroundSyncTest {
    /** Process, seconds, call, file. */
    private static final Pattern CALL =
            Pattern.compile("\\d+ +(\\d+\\.\\d+) (write|fdatasync)\\(\\d+<([^>]*\\.log)>.*");

    @TempDir
    Path temporary;

    @Test
    void aWriteIsSyncedWithoutAnotherOneComing() {
        try (RocksEngine engine = Engines.open(temporary)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.inFlight("first"), "v"));
            long revision = Engines.applied(engine, Durability.PROCESS, Engines.put(Engines.inFlight("second"), "v"));
            assertThat(engine.syncedRevision()).isLessThan(revision);
            Awaitility.await().until(() -> engine.syncedRevision() >= revision);
        }
    }

    @Test
    void scenario_05_the_system_calls_show_the_background_sync_within_a_hundred_milliseconds() throws Exception {
        assumeTrue(Strace.isThere(), "needs strace");
        Path trace = temporary.resolve("trace");
        Path directory = temporary.resolve("data");
        try (ChildJvm child = ChildJvm.start(
                List.of("strace", "-f", "-ttt", "-y", "-e", "trace=write,fdatasync", "-o", trace.toString()),
                EngineChild.class,
                List.of(),
                List.of(directory.toString(), "10000"))) {
            child.await("ready"::equals);
            child.send("put DISK first");
            child.await(line -> line.startsWith("1 applied"));
            String last = "";
            int number = 2;
            for (; number <= 40; number++) {
                String put = number + " applied ";
                child.send("put PROCESS k" + number);
                last = child.await(line -> line.startsWith(put)).substring(put.length());
            }
            awaitSynced(child, number, Long.parseLong(last));
            child.send("close");
            child.await(line -> line.endsWith("closed"));
            assertThat(child.end(Duration.ofSeconds(10))).isZero();
        }
        List<Call> calls = calls(trace);
        List<Call> writes = calls.stream().filter(call -> !call.sync()).toList();
        assertThat(writes).hasSizeGreaterThan(20);
        for (Call write : writes) {
            assertThat(calls)
                    .as("the sync of the write at %f", write.seconds())
                    .anyMatch(call -> call.sync()
                            && call.seconds() >= write.seconds()
                            && call.seconds() <= write.seconds() + 0.1);
        }
    }

    private static void awaitSynced(ChildJvm child, int number, long revision) {
        AtomicInteger next = new AtomicInteger(number);
        Awaitility.await().until(() -> {
            String answer = next.getAndIncrement() + " synced ";
            child.send("synced");
            return Long.parseLong(child.await(line -> line.startsWith(answer)).substring(answer.length())) >= revision;
        });
    }

    private record Call(double seconds, boolean sync) {}

    private static List<Call> calls(Path trace) throws Exception {
        List<Call> calls = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher matcher = CALL.matcher(line);
            if (matcher.matches()) {
                calls.add(new Call(
                        Double.parseDouble(matcher.group(1)), matcher.group(2).equals("fdatasync")));
            }
        }
        return calls;
    }
}
