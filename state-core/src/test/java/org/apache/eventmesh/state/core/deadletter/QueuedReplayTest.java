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

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Await;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.deadletter.LetterBox.id;
import static org.assertj.core.api.Assertions.assertThat;

/** Where another owns the partition: the request is made durable, once. */
class QueuedReplayTest {
    private static final RequestKey ONCE = RequestKey.of("once");

    private final LetterBox box = new LetterBox();

    @AfterEach
    void close() {
        box.close();
    }

    @Test
    void required_L04_a_request_waits_durably_for_the_owner_and_the_letter_stays() {
        DeadLetter letter = letter();

        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.Queued());
        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.Queued());
        assertThat(box.engine.get(key(letter).queued())).isPresent();
        assertThat(box.find(letter.id())).isEqualTo(letter);
    }

    @Test
    void required_L04_a_repeat_gets_the_first_result_when_the_owner_has_finished() {
        DeadLetter letter = letter();
        replay(letter, ONCE);
        DeliveryId delivery = new DeliveryId(letter.id().partition(), "map", 99);
        finish(letter, delivery);

        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.Replayed(delivery));
        assertThat(replay(letter, RequestKey.of("other"))).isEqualTo(new ReplayResult.Gone());
    }

    @Test
    void a_letter_that_was_given_up_again_is_not_replayed_on_an_old_reading() {
        DeadLetter letter = letter();
        box.put(letter.id(), 200);

        ReplayResult result = replay(letter, ONCE);

        assertThat(result).isEqualTo(new ReplayResult.Changed(box.find(letter.id())));
        assertThat(box.engine.get(key(letter).bytes())).isEmpty();
    }

    @Test
    void required_L04_a_letter_of_a_task_that_is_final_or_gone_is_not_replayed() {
        box.put(id("tasks", 1, "agents"), 100, Optional.of("t"));
        DeadLetter letter = box.find(id("tasks", 1, "agents"));
        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.TaskFinal());

        TaskRecord failed = TaskRecord.newBuilder()
                .setVersion(2)
                .setState(TaskRecord.State.FAILED)
                .setAgent("agent")
                .build();
        box.engine.put(TaskKey.bytes(new TaskId("t")), Records.TASK.encode(failed));
        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.TaskFinal());
        assertThat(box.find(letter.id())).isEqualTo(letter);
    }

    @Test
    void results_are_kept_for_a_day_and_forgotten_then() {
        DeadLetter letter = letter();
        replay(letter, ONCE);
        finish(letter, new DeliveryId(letter.id().partition(), "map", 99));
        AtomicInteger looks = new AtomicInteger();
        box.engine.beforeScan(looks::incrementAndGet);
        try (KeptReplayResults kept = new KeptReplayResults(box.backend.get(), () -> box.now)) {
            box.now = box.now.plus(Duration.ofHours(23));
            // the second begins when the first has ended
            Awaitility.await().until(() -> {
                box.backend.pass(Duration.ofMinutes(11));
                return looks.get() >= 2;
            });
            assertThat(box.engine.get(key(letter).bytes())).isPresent();
            assertThat(replay(letter, ONCE)).isInstanceOf(ReplayResult.Replayed.class);

            box.now = box.now.plus(Duration.ofHours(2));
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                box.backend.pass(Duration.ofMinutes(11));
                return box.engine.get(key(letter).bytes()).isEmpty();
            });
        }
        assertThat(replay(letter, ONCE)).isEqualTo(new ReplayResult.Gone());
    }

    private DeadLetter letter() {
        box.put(id("orders", 1, "billing"), 100);
        return box.find(id("orders", 1, "billing"));
    }

    private ReplayResult replay(DeadLetter letter, RequestKey request) {
        return Await.result(box.store.replay(letter, request));
    }

    /** As the owner does it. */
    private void finish(DeadLetter letter, DeliveryId delivery) {
        ReplayKey key = key(letter);
        ReplayRecord queued =
                Records.REPLAY.decode(box.engine.get(key.bytes()).orElseThrow()).record();
        box.engine.apply(new Commit(
                List.of(),
                ReplayRecords.replayed(key, Optional.of(queued), letter.revision(), delivery, box.now.toEpochMilli())));
        box.engine.apply(new Commit(
                List.of(),
                DeadLetterRecords.removal(letter.id(), letter.deadAt().toEpochMilli())));
    }

    private static ReplayKey key(DeadLetter letter) {
        return new ReplayKey(letter.id(), ONCE);
    }
}
