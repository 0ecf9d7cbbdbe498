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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class CommitQueueTest {
    /** One round under way at most, so that a test can fill the queue behind it. */
    private static final QueueBounds ONE_ROUND = new QueueBounds(100, 10_000, 50, 2_000, 1);

    private final HeldEngine engine = new HeldEngine();
    private final Workers workers = new Workers(2, false);
    private final CommitQueue queue = new CommitQueue(engine, ONE_ROUND, workers);

    @AfterEach
    void endThreads() {
        workers.close();
    }

    @Test
    void what_waits_is_handed_over_together_at_the_strongest_level() {
        Submission first = blockWriter();
        List<Submission> waiting = new ArrayList<>();
        IntStream.range(0, 10).forEach(i -> waiting.add(queue.submit(put("k" + i), Durability.PROCESS)));
        waiting.add(queue.submit(put("k10"), Durability.DISK));
        engine.release();
        waiting.forEach(submission -> assertThat(fate(submission)).isInstanceOf(CommitResult.Applied.class));
        assertThat(fate(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.calls()).hasSize(2);
        assertThat(engine.calls().get(1).commits()).hasSize(11);
        assertThat(engine.calls().get(1).level()).isEqualTo(Durability.DISK);
    }

    @Test
    void a_lone_commit_is_handed_over_by_the_thread_that_hands_it_in() {
        engine.release();
        Submission alone = queue.write(put("a"), Durability.DISK);
        assertThat(alone.fate().toCompletableFuture()).isDone();
        assertThat(fate(alone)).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void a_thread_that_hands_in_a_commit_does_not_wait_for_those_before_it() {
        blockWriter();
        Submission behind = queue.write(put("a"), Durability.DISK);
        assertThat(engine.calls()).hasSize(1);
        assertThat(behind.withdraw()).isTrue();
        Submission next = queue.write(put("b"), Durability.DISK);
        engine.release();
        assertThat(fate(next)).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.get(key("a"))).isEmpty();
    }

    @Test
    void nobody_is_synced_for_nothing() {
        engine.release();
        fate(queue.submit(put("a"), Durability.PROCESS));
        fate(queue.submit(put("a"), Durability.DISK));
        assertThat(engine.calls())
                .extracting(HeldEngine.Call::level)
                .containsExactly(Durability.PROCESS, Durability.DISK);
    }

    @Test
    void a_round_is_disjoint_and_commits_on_one_key_keep_their_order() {
        blockWriter();
        List<Submission> all = new ArrayList<>();
        Random random = new Random(9);
        for (int i = 0; i < 100; i++) {
            all.add(queue.submit(random(random), Durability.PROCESS));
        }
        engine.release();
        all.forEach(CommitQueueTest::fate);
        List<Commit> handed = new ArrayList<>();
        for (HeldEngine.Call call : engine.calls().subList(1, engine.calls().size())) {
            assertDisjoint(call.commits());
            handed.addAll(call.commits());
        }
        assertThat(handed).hasSize(100);
        for (String name : List.of("k0", "k1", "k2", "k3", "k4", "k5")) {
            assertThat(handed.stream().filter(commit -> changes(commit, key(name))))
                    .containsExactlyElementsOf(all.stream()
                            .map(Submission::commit)
                            .filter(commit -> changes(commit, key(name)))
                            .toList());
        }
    }

    @Test
    void several_may_rely_on_one_key_in_a_round() {
        blockWriter();
        List<Submission> all = IntStream.range(0, 5)
                .mapToObj(i -> queue.submit(
                        new Commit(
                                List.of(Condition.absent(key("holder"))),
                                put("k" + i).changes()),
                        Durability.PROCESS))
                .toList();
        engine.release();
        all.forEach(CommitQueueTest::fate);
        assertThat(engine.calls()).hasSize(2);
    }

    @Test
    void a_round_is_bounded_in_count_and_bytes() {
        blockWriter();
        List<Submission> all = new ArrayList<>();
        IntStream.range(0, 60).forEach(i -> all.add(queue.submit(put("k" + i), Durability.PROCESS)));
        Bytes large = Bytes.of(new byte[1_500]);
        IntStream.range(0, 3)
                .forEach(i -> all.add(queue.submit(
                        new Commit(List.of(), List.of(Change.put(key("l" + i), large))), Durability.PROCESS)));
        engine.release();
        all.forEach(CommitQueueTest::fate);
        assertThat(engine.calls().stream().map(call -> call.commits().size())).containsExactly(1, 50, 11, 1, 1);
    }

    @Test
    void a_full_queue_refuses_and_nothing_of_it_is_applied() {
        blockWriter();
        List<Submission> waiting = IntStream.range(0, 100)
                .mapToObj(i -> queue.submit(put("k" + i), Durability.DISK))
                .toList();
        Submission beyond = queue.submit(put("beyond"), Durability.DISK);
        assertThatThrownBy(() -> fate(beyond))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("100");
        assertThat(waiting.get(0).withdraw()).isTrue();
        Submission later = queue.submit(put("later"), Durability.DISK);
        engine.release();
        assertThat(fate(later)).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.get(key("beyond"))).isEmpty();
        assertThat(engine.get(key("k0"))).isEmpty();
    }

    @Test
    void a_queue_full_of_bytes_refuses() {
        blockWriter();
        Bytes large = Bytes.of(new byte[6_000]);
        queue.submit(new Commit(List.of(), List.of(Change.put(key("a"), large))), Durability.DISK);
        Submission beyond = queue.submit(new Commit(List.of(), List.of(Change.put(key("b"), large))), Durability.DISK);
        assertThatThrownBy(() -> fate(beyond)).isInstanceOf(OverloadedException.class);
        engine.release();
    }

    @Test
    void what_was_handed_over_cannot_be_taken_back() {
        Submission first = blockWriter();
        Submission second = queue.submit(put("b"), Durability.DISK);
        assertThat(first.withdraw()).isFalse();
        assertThat(second.withdraw()).isTrue();
        assertThat(second.withdraw()).isFalse();
        engine.release();
        assertThat(fate(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(fate(queue.submit(put("c"), Durability.DISK))).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.get(key("b"))).isEmpty();
    }

    @Test
    void a_commit_beyond_the_limits_of_the_engine_is_refused_with_both_sizes() {
        List<Change> many = IntStream.range(0, 1_001)
                .<Change>mapToObj(i -> Change.delete(key("k" + i)))
                .toList();
        assertThatThrownBy(() -> fate(queue.submit(new Commit(List.of(), many), Durability.DISK)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("1001")
                .hasMessageContaining("1000");
        assertThat(engine.calls()).isEmpty();
    }

    @Test
    void closing_fails_what_waits_and_leaves_its_fate_to_what_was_handed_over() {
        Submission first = blockWriter();
        Submission second = queue.submit(put("b"), Durability.DISK);
        queue.close();
        assertThatThrownBy(() -> fate(second)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> fate(queue.submit(put("c"), Durability.DISK)))
                .isInstanceOf(StoreClosedException.class);
        assertThat(queue.drained(Duration.ofMillis(1))).isFalse();
        engine.release();
        assertThat(fate(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(queue.drained(Duration.ofSeconds(10))).isTrue();
        queue.close();
    }

    @Test
    void an_engine_that_breaks_its_promises_leaves_fates_unknown_and_the_queue_working() {
        List<RuntimeException> thrown = new ArrayList<>(
                Arrays.asList(new IllegalStateException("bug"), new StoreUnavailableException("away"), null));
        CommitQueue ofBroken = new CommitQueue(
                new MapEngine() {
                    @Override
                    public synchronized List<CompletionStage<CommitResult>> commit(
                            List<Commit> commits, Durability level) {
                        RuntimeException next = thrown.isEmpty() ? null : thrown.remove(0);
                        if (next != null) {
                            throw next;
                        }
                        return super.commit(commits, level).subList(thrown.isEmpty() ? 0 : 1, commits.size());
                    }
                },
                ONE_ROUND,
                workers);
        assertThatThrownBy(() -> fate(ofBroken.submit(put("a"), Durability.DISK)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasRootCauseMessage("bug");
        assertThatThrownBy(() -> fate(ofBroken.submit(put("a"), Durability.DISK)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(fate(ofBroken.submit(put("a"), Durability.DISK))).isInstanceOf(CommitResult.Applied.class);
        ofBroken.close();
    }

    @Test
    void a_storm_of_writers_is_merged_and_everyone_gets_his_own_fate() {
        CommitQueue busy = new CommitQueue(new MapEngine(), QueueBounds.DEFAULT, workers);
        List<Submission> all = IntStream.range(0, 3_000)
                .parallel()
                .mapToObj(i -> busy.submit(random(ThreadLocalRandom.current()), Durability.PROCESS))
                .toList();
        all.forEach(submission -> assertThat(fate(submission)).isNotNull());
        busy.close();
        assertThat(busy.drained(Duration.ofSeconds(10))).isTrue();
    }

    private Submission blockWriter() {
        Submission first = queue.submit(put("first"), Durability.PROCESS);
        await().until(() -> engine.calls().size() == 1);
        return first;
    }

    private static void assertDisjoint(List<Commit> commits) {
        Set<Bytes> changed = new HashSet<>();
        for (Commit commit : commits) {
            commit.changes()
                    .forEach(change -> assertThat(changed.add(change.key())).isTrue());
        }
        for (Commit commit : commits) {
            Set<Bytes> others = new HashSet<>(changed);
            commit.changes().forEach(change -> others.remove(change.key()));
            assertThat(commit.conditions()).noneMatch(condition -> others.contains(condition.key()));
        }
    }

    /** Up to two changes and a condition on few keys. */
    private static Commit random(Random random) {
        int one = random.nextInt(6);
        int other = random.nextInt(6);
        List<Change> changes = new ArrayList<>(put("k" + one).changes());
        if (other != one) {
            changes.add(Change.delete(key("k" + other)));
        }
        return new Commit(
                random.nextBoolean() ? List.of() : List.of(new Condition(key("k" + random.nextInt(6)), 1)), changes);
    }

    private static boolean changes(Commit commit, Bytes key) {
        return commit.changes().stream().anyMatch(change -> change.key().equals(key));
    }

    private static Commit put(String key) {
        return new Commit(List.of(), List.of(Change.put(key(key), Bytes.utf8("v"))));
    }

    private static Bytes key(String name) {
        return Bytes.utf8(name);
    }

    private static CommitResult fate(Submission submission) {
        try {
            return submission.fate().toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
