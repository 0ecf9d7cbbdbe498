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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.etcd.ScriptedEtcd.Fate;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.etcd.ScriptedEngine.answer;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.failure;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.isOpen;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.key;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.put;
import static org.assertj.core.api.Assertions.assertThat;

/** What a commit's stage says when the answer to its transaction did not come. */
@Timeout(60)
class LostAnswerTest {
    private final ScriptedEngine scripted = new ScriptedEngine(1);

    @AfterEach
    void close() {
        scripted.close();
    }

    @Test
    void what_was_applied_is_told_as_applied_with_its_revision() {
        scripted.etcd.next(new Fate.LostAfter());

        CommitResult result = answer(scripted.commit(put("k", "v", Condition.absent(key("k")))));

        long revision = answer(scripted.engine.read(List.of(key("k")))).get(0).revision();
        assertThat(result).isEqualTo(new CommitResult.Applied(revision));
        assertThat(scripted.unknown).hasSize(1);
    }

    @Test
    void what_never_arrived_goes_out_again_and_is_applied_once() {
        scripted.etcd.next(new Fate.LostBefore());

        assertThat(answer(scripted.commit(put("k", "v", Condition.absent(key("k"))))))
                .isInstanceOf(CommitResult.Applied.class);

        assertThat(scripted.value("k")).isEqualTo("v");
        // the lost one, the look into the slot, and the one that arrived
        assertThat(scripted.etcd.written().size()).isEqualTo(OPENING + 3);
    }

    /** Transactions that write, of an opening: the incarnation, the slots. */
    private static final int OPENING = 2;

    @Test
    void what_arrives_late_is_not_applied_any_more() {
        scripted.etcd.next(new Fate.Late());
        assertThat(answer(scripted.commit(put("k", "first")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(scripted.commit(put("k", "second")))).isInstanceOf(CommitResult.Applied.class);

        scripted.etcd.arrive();

        assertThat(scripted.value("k")).isEqualTo("second");
    }

    @Test
    void a_commit_for_which_there_is_no_more_time_is_refused_and_never_applied() {
        try (ScriptedEngine hurried = new ScriptedEngine(1, Duration.ofMillis(40))) {
            hurried.etcd.next(new Fate.Late(), new Fate.LostBefore(), new Fate.LostBefore());

            Throwable told = failure(hurried.commit(put("k", "v")));

            assertThat(told).isInstanceOf(StoreUnavailableException.class).hasMessageContaining("was not applied");
            hurried.etcd.arrive();
            assertThat(hurried.value("k")).isEmpty();
        }
    }

    @Test
    void a_look_into_the_slot_may_be_lost_as_well_whether_it_was_done_or_not() {
        scripted.etcd.next(new Fate.LostBefore(), new Fate.LostAfter(), new Fate.LostBefore());

        assertThat(answer(scripted.commit(put("k", "v")))).isInstanceOf(CommitResult.Applied.class);

        scripted.etcd.next(new Fate.LostAfter(), new Fate.LostAfter(), new Fate.LostBefore());
        assertThat(answer(scripted.commit(put("k", "w")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.value("k")).isEqualTo("w");
    }

    @Test
    void of_commits_that_shared_a_lost_transaction_each_is_told_its_own_fate() {
        answer(scripted.commit(put("taken", "before")));
        // the first is refused as a whole; in the second each commit stands by itself
        scripted.etcd.next(new Fate.Done(), new Fate.LostAfter());

        List<CompletionStage<CommitResult>> fates = scripted.engine.commit(
                List.of(put("a", "1"), put("taken", "2", Condition.absent(key("taken"))), put("c", "3")),
                Durability.DISK);

        assertThat(answer(fates.get(0))).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(fates.get(2))).isEqualTo(answer(fates.get(0)));
        CommitResult.Refused refused = (CommitResult.Refused) answer(fates.get(1));
        assertThat(refused.current()).singleElement().satisfies(entry -> {
            assertThat(entry.key()).isEqualTo(key("taken"));
            assertThat(entry.value().toUtf8()).isEqualTo("before");
        });
        assertThat(scripted.value("taken")).isEqualTo("before");
    }

    @Test
    void the_refusal_of_an_earlier_transaction_is_not_taken_for_that_of_a_later_one() {
        answer(scripted.commit(put("k", "before")));
        Condition free = Condition.absent(key("k"));
        // the second commit of each group is refused, and says so beside the slot
        for (Fate fate : List.of(new Fate.Done(), new Fate.LostAfter())) {
            scripted.etcd.next(new Fate.Done(), fate);
            List<CompletionStage<CommitResult>> fates =
                    scripted.engine.commit(List.of(put("a", "1"), put("k", "x", free)), Durability.DISK);
            assertThat(answer(fates.get(0))).isInstanceOf(CommitResult.Applied.class);
            assertThat(answer(fates.get(1))).isInstanceOf(CommitResult.Refused.class);
        }

        scripted.etcd.next(new Fate.LostAfter());
        scripted.engine
                .commit(List.of(put("b", "1"), put("l", "y", Condition.absent(key("l")))), Durability.DISK)
                .forEach(fate -> assertThat(answer(fate)).isInstanceOf(CommitResult.Applied.class));
    }

    @Test
    void required_G04_what_reached_the_quota_and_was_refused_but_done_is_told_as_applied() {
        answer(scripted.commit(put("taken", "before")));
        scripted.etcd.next(new Fate.Done(), new Fate.RefusedAfter(Failure.NO_SPACE));

        List<CompletionStage<CommitResult>> fates = scripted.engine.commit(
                List.of(put("a", "1"), put("taken", "2", Condition.absent(key("taken")))), Durability.DISK);

        long revision = answer(scripted.engine.read(List.of(key("a")))).get(0).revision();
        assertThat(answer(fates.get(0))).isEqualTo(new CommitResult.Applied(revision));
        assertThat(answer(fates.get(1))).isInstanceOf(CommitResult.Refused.class);
        assertThat(scripted.value("taken")).isEqualTo("before");
    }

    @Test
    void required_ENG_a_refusal_whose_present_entries_fit_in_no_answer_is_told_with_them_after_a_read() {
        answer(scripted.commit(put("k", "before")));
        int sent = scripted.etcd.written().size();
        scripted.etcd.next(new Fate.RefusedAfter(Failure.ANSWER_TOO_LARGE));

        CommitResult result = answer(scripted.commit(put("k", "after", Condition.absent(key("k")))));

        assertPresent(result, "before");
        assertThat(scripted.etcd.written()).hasSize(sent + 1);
        assertThat(scripted.unknown).isEmpty();
    }

    @Test
    void required_ENG_of_commits_that_shared_such_an_answer_each_that_was_refused_goes_on_by_itself() {
        answer(scripted.commit(put("taken", "before")));
        Fate tooLarge = new Fate.RefusedAfter(Failure.ANSWER_TOO_LARGE);
        // the first is refused as a whole; in the second each commit stands by itself, in the third it is alone
        scripted.etcd.next(new Fate.Done(), tooLarge, tooLarge);

        List<CompletionStage<CommitResult>> fates = scripted.engine.commit(
                List.of(put("a", "1"), put("taken", "2", Condition.absent(key("taken")))), Durability.DISK);

        assertThat(answer(fates.get(0))).isInstanceOf(CommitResult.Applied.class);
        assertPresent(answer(fates.get(1)), "before");
        assertThat(scripted.unknown).isEmpty();
    }

    private static void assertPresent(CommitResult result, String value) {
        assertThat(((CommitResult.Refused) result).current())
                .singleElement()
                .satisfies(entry -> assertThat(entry.value().toUtf8()).isEqualTo(value));
    }

    @Test
    void a_commit_whose_conditions_hold_again_when_they_are_read_is_sent_again() {
        answer(scripted.commit(put("k", "before")));
        scripted.etcd.next(new Fate.RefusedAfter(Failure.ANSWER_TOO_LARGE));
        // the look into the slot comes first
        scripted.etcd.beforeReads(() -> {}, () -> scripted.etcd.delete(Bytes.utf8("/test/k/k")));

        CommitResult result = answer(scripted.commit(put("k", "after", Condition.absent(key("k")))));

        assertThat(result).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.value("k")).isEqualTo("after");
    }

    @Test
    void required_ENG_a_read_of_more_keys_than_one_transaction_takes_is_of_one_moment() {
        answer(scripted.commit(put("k0", "before")));
        answer(scripted.commit(put("k299", "before")));
        scripted.etcd.beforeReads(() -> {}, () -> {
            scripted.etcd.put(Bytes.utf8("/test/k/k0"), Bytes.utf8("after"));
            scripted.etcd.put(Bytes.utf8("/test/k/k299"), Bytes.utf8("after"));
        });

        List<Entry> found = answer(scripted.engine.read(
                IntStream.range(0, 300).mapToObj(i -> key("k" + i)).toList()));

        assertThat(found).extracting(entry -> entry.value().toUtf8()).containsExactly("after", "after");
    }

    @Test
    void a_stage_stays_open_as_long_as_nothing_is_known_and_its_keys_stay_taken() {
        scripted.etcd.next(new Fate.LostBefore(), new Fate.Held());
        CompletionStage<CommitResult> first = scripted.commit(put("k", "v"));
        Awaitility.await().until(() -> scripted.etcd.written().size() == OPENING + 2);
        CompletionStage<CommitResult> second = scripted.commit(put("k", "w"));

        assertThat(isOpen(first)).isTrue();
        assertThat(isOpen(second)).isTrue();

        scripted.etcd.arrive();
        assertThat(answer(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(second)).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.value("k")).isEqualTo("w");
    }

    @Test
    void an_engine_that_is_closed_before_it_knows_says_that_it_does_not() {
        scripted.etcd.next(new Fate.LostAfter(), new Fate.Held());
        CompletionStage<CommitResult> stage = scripted.commit(put("k", "v"));
        Awaitility.await().until(() -> scripted.etcd.written().size() == OPENING + 2);

        scripted.close();

        assertThat(failure(stage))
                .isInstanceOf(OutcomeUnknownException.class)
                .satisfies(told -> assertThat(((StateStoreException) told).certainlyNotApplied())
                        .isFalse());
        assertThat(scripted.etcd.isClosed()).isTrue();
    }

    @Test
    void a_slot_that_ended_while_a_fate_was_unknown_leaves_it_unknown_and_there_are_new_ones() {
        long slots = scripted.etcd.leases().iterator().next();
        scripted.etcd.next(new Fate.Late(), new Fate.Held());
        CompletionStage<CommitResult> stage = scripted.commit(put("k", "v"));
        Awaitility.await().until(() -> scripted.etcd.written().size() == OPENING + 2);
        scripted.etcd.endLease(slots);

        scripted.etcd.arrive();
        scripted.etcd.arrive();

        assertThat(failure(stage)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(scripted.value("k")).isEmpty();
        assertThat(answer(scripted.commit(put("k", "w")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.etcd.leases()).isNotEmpty().doesNotContain(slots);
    }

    @Test
    void what_was_not_sent_is_tried_again_for_a_while() {
        scripted.etcd.next(new Fate.Refused(Failure.NOT_SENT), new Fate.Refused(Failure.NOT_SENT));

        assertThat(answer(scripted.commit(put("k", "v")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.unknown).isEmpty();
    }

    @Test
    void while_nothing_can_be_sent_for_long_a_commit_fails_as_not_applied() {
        scripted.etcd.cut(true);
        long before = System.nanoTime();

        Throwable told = failure(scripted.commit(put("k", "v")));

        assertThat(told).isInstanceOf(StoreUnavailableException.class).hasMessageContaining("try again");
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(7));
        assertThat(scripted.engine.health().up()).isFalse();
        assertThat(scripted.engine.health().advice()).contains("try again");

        scripted.etcd.cut(false);
        Awaitility.await().until(() -> scripted.engine.health().up());
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(scripted.health).extracting(EngineHealth::up).containsExactly(false, true));
    }
}
