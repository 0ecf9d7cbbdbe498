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
package org.apache.eventmesh.state.core.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.CounterRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransactionsTest {
    private static final Bytes COUNTER = KeyWriter.of(Table.COUNTER).integer(7).key();

    @Test
    void concurrent_increments_are_all_counted() {
        MapEngine engine = new MapEngine();
        Executor callbacks = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        Deadlines deadlines = new Deadlines(System::nanoTime, Duration.ofSeconds(10));
        Backend backend = new Backend(engine, deadlines, new Callbacks(callbacks, StoreListener.NONE), 1_000);
        Transactions transactions = new Transactions(backend);
        List<CompletionStage<Long>> stages = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            stages.add(transactions.run(
                    new Operation(StoreName.TASKS, "count"), List.of(COUNTER), TransactionsTest::increment));
        }
        assertThat(stages.stream().map(Await::result).distinct()).hasSize(200);
        assertThat(backend.close(Duration.ofSeconds(10))).isTrue();
        deadlines.close();
    }

    private static Decision<Long> increment(Seen seen) {
        long next = seen.get(Records.COUNTER, COUNTER)
                        .map(Stored::record)
                        .map(CounterRecord::getEpoch)
                        .orElse(0L)
                + 1;
        return Decision.write(
                List.of(seen.unchanged(COUNTER)),
                List.of(Records.COUNTER.put(
                        COUNTER, CounterRecord.newBuilder().setEpoch(next).build())),
                next);
    }
}
