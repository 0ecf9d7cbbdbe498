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
package org.apache.eventmesh.state.core.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.deadletter.LetterBox.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeadLetterPurgeTest {
    /** Lets a test act between a read and the commit that rests on it. */
    private static final class Interrupted extends MapEngine {
        private Runnable before = () -> {};

        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            Runnable once = before;
            before = () -> {};
            once.run();
            return super.commit(commits, level);
        }

        boolean isEmpty() {
            return Await.result(scan(new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 0xFF)), 1))
                    .entries()
                    .isEmpty();
        }
    }

    private static final Instant END = Instant.ofEpochMilli(10_000);

    private final Interrupted engine = new Interrupted();
    private final LetterBox box = new LetterBox(engine);

    @AfterEach
    void close() {
        box.close();
    }

    @Test
    void required_L03_purges_one_as_it_was_read() {
        box.put(id("orders", 1, "billing"), 100);
        DeadLetter read = box.find(id("orders", 1, "billing"));
        box.put(id("orders", 1, "billing"), 200);

        PurgeResult changed = Await.result(box.store.purge(read));
        assertThat(changed).isInstanceOf(PurgeResult.Changed.class);
        DeadLetter current = ((PurgeResult.Changed) changed).current();
        assertThat(current).isEqualTo(box.find(id("orders", 1, "billing")));

        assertThat(Await.result(box.store.purge(current))).isEqualTo(new PurgeResult.Purged());
        assertThat(Await.result(box.store.purge(current))).isEqualTo(new PurgeResult.Gone());
        assertThat(engine.isEmpty()).isTrue();
    }

    @Test
    void one_that_changes_between_read_and_commit_is_not_purged() {
        box.put(id("orders", 1, "billing"), 100);
        DeadLetter read = box.find(id("orders", 1, "billing"));
        engine.before = () -> box.put(id("orders", 1, "billing"), 200);

        assertThat(Await.result(box.store.purge(read))).isInstanceOf(PurgeResult.Changed.class);
        assertThat(box.count(DeadLetterFilter.all())).isEqualTo(1);
    }

    @Test
    void required_L03_purges_the_oldest_first_bounded_and_resumable() {
        for (int i = 0; i < 50; i++) {
            box.put(id("orders", i, i % 2 == 0 ? "billing" : "audit"), 100 + i);
        }

        assertThat(purge(DeadLetterFilter.all(), Instant.ofEpochMilli(140), 30)).isEqualTo(new Swept(30, true));
        assertThat(box.listed(DeadLetterFilter.all()).get(0)).isEqualTo(id("orders", 30, "billing"));
        assertThat(purge(DeadLetterFilter.all(), Instant.ofEpochMilli(140), 30)).isEqualTo(new Swept(10, false));
        assertThat(purge(DeadLetterFilter.all(), Instant.ofEpochMilli(140), 30)).isEqualTo(new Swept(0, false));

        DeadLetterFilter audit = DeadLetterFilter.subscriber(Subscriber.group("audit"));
        assertThat(purge(audit, END, 1_000)).isEqualTo(new Swept(5, false));
        assertThat(box.count(DeadLetterFilter.all())).isEqualTo(5);
        assertThat(purge(DeadLetterFilter.topic("orders").since(Instant.ofEpochMilli(148)), END, 10))
                .isEqualTo(new Swept(1, false));
        assertThat(purge(DeadLetterFilter.topic("other"), END, 10)).isEqualTo(new Swept(0, false));
        assertThat(purge(DeadLetterFilter.all().since(END), Instant.EPOCH, 10)).isEqualTo(new Swept(0, false));
    }

    @Test
    void what_is_given_up_again_during_a_purge_stays() {
        for (int i = 0; i < 20; i++) {
            box.put(id("orders", i, "billing"), 100);
        }
        engine.before = () -> {
            box.put(id("orders", 3, "billing"), 20_000);
            engine.delete(DeadLetterKey.bytes(id("orders", 4, "billing")));
        };

        Swept swept = purge(DeadLetterFilter.all(), END, 100);

        assertThat(swept).isEqualTo(new Swept(18, false));
        assertThat(box.listed(DeadLetterFilter.all())).containsExactly(id("orders", 3, "billing"));
        assertThat(box.count(DeadLetterFilter.all())).isEqualTo(1);
    }

    @Test
    void purges_that_meet_remove_each_letter_once() {
        for (int i = 0; i < 200; i++) {
            box.put(id("orders", i, "billing"), 100 + i);
        }
        List<CompletableFuture<Swept>> purges = List.of(
                box.store.purge(DeadLetterFilter.all(), END, 1_000).toCompletableFuture(),
                box.store.purge(DeadLetterFilter.topic("orders"), END, 1_000).toCompletableFuture(),
                box.store
                        .purge(DeadLetterFilter.subscriber(Subscriber.group("billing")), END, 1_000)
                        .toCompletableFuture());

        assertThat(purges.stream().mapToLong(purge -> purge.join().count()).sum())
                .isEqualTo(200);
        assertThat(engine.isEmpty()).isTrue();
    }

    @Test
    void a_damaged_record_goes_with_its_time_and_leaves_no_key() {
        box.put(id("orders", 1, "billing"), 100);
        engine.put(DeadLetterKey.bytes(id("orders", 1, "billing")), World.DAMAGED);

        assertThat(purge(DeadLetterFilter.all(), END, 10)).isEqualTo(new Swept(1, false));
        assertThat(engine.isEmpty()).isTrue();
    }

    @Test
    void a_limit_that_is_not_positive_is_refused_on_the_caller() {
        assertThatThrownBy(() -> box.store.purge(DeadLetterFilter.all(), END, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit is 0");
    }

    private Swept purge(DeadLetterFilter filter, Instant until, int limit) {
        return Await.result(box.store.purge(filter, until, limit));
    }
}
