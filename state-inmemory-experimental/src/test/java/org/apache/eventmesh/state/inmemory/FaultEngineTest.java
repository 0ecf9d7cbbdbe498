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
package org.apache.eventmesh.state.inmemory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.fault.Cut;
import org.apache.eventmesh.state.tck.fault.FaultEngine;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class FaultEngineTest {
    private static final KeyRange ALL = new KeyRange(Bytes.utf8("a"), Bytes.utf8("z"));

    private final InMemoryEngine memory = new InMemoryEngine("memory:");
    private final FaultEngine engine = new FaultEngine(memory);

    @Test
    void failsTheCommitThatIsCountedAndNoOther() {
        engine.fail(Which.nth(2));
        put("a");
        assertThatThrownBy(() -> put("b")).isInstanceOf(StoreUnavailableException.class);
        put("c");
        assertThat(stored()).containsExactly("a", "c");
    }

    @Test
    void countsOnlyCommitsWithSuchAKey() {
        engine.fail(Which.nth(2).touching(new KeyRange(key("b"), key("c"))), () -> new OverloadedException("full"));
        put("a");
        put("b1");
        put("c");
        assertThatThrownBy(() -> put("b2")).isInstanceOf(OverloadedException.class);
        put("b3");
        assertThat(stored()).containsExactly("a", "b1", "b3", "c");
    }

    @Test
    void hitsOneCommitOfACallAndSparesTheOthers() {
        engine.fail(Which.next().touching(key("b")::equals));
        List<CompletionStage<CommitResult>> fates =
                engine.commit(List.of(commit("a"), commit("b"), commit("c")), Durability.DISK);
        Stages.get(fates.get(0));
        assertThatThrownBy(() -> Stages.get(fates.get(1))).isInstanceOf(StoreUnavailableException.class);
        Stages.get(fates.get(2));
        assertThat(stored()).containsExactly("a", "c");
    }

    @Test
    void holdsACommitBeforeTheEngine() {
        Hold hold = engine.hold(Which.next());
        CompletableFuture<CommitResult> held = start("a");
        put("b");
        assertThat(hold.size()).isEqualTo(1);
        assertThat(stored()).containsExactly("b");
        hold.release();
        assertThat(Stages.get(held)).isEqualTo(new CommitResult.Applied(2));
        assertThat(stored()).containsExactly("a", "b");
    }

    @Test
    void losesAnAnswerUntilItIsFound() {
        Hold lost = engine.loseAnswer(Which.next());
        CompletableFuture<CommitResult> answer = start("a");
        assertThat(stored()).containsExactly("a");
        assertThat(answer).isNotDone();
        lost.release();
        assertThat(Stages.get(answer)).isEqualTo(new CommitResult.Applied(1));
    }

    @Test
    void closingTellsWhatIsKnownOfHeldAndLostCommits() {
        Hold hold = engine.hold(Which.next());
        engine.loseAnswer(Which.nth(2));
        CompletableFuture<CommitResult> held = start("a");
        CompletableFuture<CommitResult> lost = start("b");
        engine.close();
        assertThatThrownBy(() -> Stages.get(held)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> Stages.get(lost)).isInstanceOf(OutcomeUnknownException.class);
        hold.release();
    }

    @Test
    void answersUnknownWhetherAppliedOrNot() {
        engine.answerUnknown(Which.next());
        engine.answerUnknownWithoutApplying(Which.nth(2));
        assertThatThrownBy(() -> put("a")).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> put("b")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(stored()).containsExactly("a");
    }

    @Test
    void delaysACommit() {
        engine.delay(Which.next(), Duration.ofMillis(20));
        CompletableFuture<CommitResult> delayed = start("a");
        Stages.get(delayed);
        assertThat(stored()).containsExactly("a");
    }

    @Test
    void failsReads() {
        put("a");
        engine.failReads(Which.next().touching(key("a")::equals));
        assertThat(Stages.get(engine.read(List.of(key("b"))))).isEmpty();
        assertThatThrownBy(() -> Stages.get(engine.read(List.of(key("b"), key("a")))))
                .isInstanceOf(StoreUnavailableException.class);
        engine.failReads(Which.every());
        assertThatThrownBy(() -> Stages.get(engine.scan(ALL, 1))).isInstanceOf(StoreUnavailableException.class);
        engine.disarm();
        assertThat(stored()).containsExactly("a");
    }

    @Test
    void cutOffAndFailing() {
        StringBuilder heard = new StringBuilder();
        FaultEngine engine = new FaultEngine(memory, new EngineListener() {
            @Override
            public void healthChanged(EngineHealth now) {
                heard.append(now.up() ? "up " : "down ");
            }
        });
        engine.cut(Cut.FAIL);
        assertThat(engine.health().up()).isFalse();
        assertUnavailable(
                () -> engine.commit(List.of(commit("a")), Durability.DISK).get(0));
        assertUnavailable(() -> engine.read(List.of(key("a"))));
        assertUnavailable(() -> engine.scan(ALL, 1));
        engine.heal();
        assertThat(engine.health().up()).isTrue();
        assertThat(stored()).isEmpty();
        assertThat(heard).hasToString("down up ");
    }

    @Test
    void cutOffAndSilentUntilItHeals() {
        engine.cut(Cut.HANG);
        CompletableFuture<CommitResult> a = start("a");
        CompletableFuture<?> read = engine.read(List.of(key("a"))).toCompletableFuture();
        assertThat(a).isNotDone();
        assertThat(read).isNotDone();
        assertThat(stored()).isEmpty();
        engine.heal();
        assertThat(Stages.get(a)).isInstanceOf(CommitResult.Applied.class);
        assertThat((List<?>) Stages.get(read)).hasSize(1);
    }

    @Test
    void anAnswerThatMeetsTheCutComesAfterTheHealing() {
        CompletableFuture<CommitResult> inside = new CompletableFuture<>();
        engine.on(Which.next(), apply -> inside);
        FaultEngine slow = new FaultEngine(engine);
        CompletableFuture<CommitResult> answer = start(slow, "a");
        slow.cut(Cut.HANG);
        inside.complete(new CommitResult.Applied(7));
        assertThat(answer).isNotDone();
        slow.heal();
        assertThat(Stages.get(answer)).isEqualTo(new CommitResult.Applied(7));
    }

    @Test
    void nothingOfACrashedUserIsEverWrittenOrAnswered() {
        AtomicInteger reached = new AtomicInteger();
        engine.on(Which.every(), apply -> {
            reached.incrementAndGet();
            return apply.get();
        });
        FaultEngine user = new FaultEngine(engine);
        Hold hold = user.hold(Which.next());
        CompletableFuture<CommitResult> held = start(user, "a");
        user.cut(Cut.HANG);
        CompletableFuture<CommitResult> hung = start(user, "b");

        user.crash();
        user.heal();
        hold.release();
        CompletableFuture<CommitResult> late = start(user, "c");
        user.close();

        assertThat(List.of(held, hung, late))
                .allSatisfy(stage -> assertThat(stage).isNotDone());
        assertThat(reached).hasValue(0);
        assertThatThrownBy(() -> put("d")).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void aCrashIsOverWhenNothingIsUnderWayInTheEngineAnyMore() throws InterruptedException {
        Hold inside = engine.hold(Which.next());
        FaultEngine user = new FaultEngine(engine);
        CompletableFuture<CommitResult> underWay = start(user, "a");
        Thread crash = new Thread(user::crash);
        crash.start();
        await().until(() -> crash.getState() == Thread.State.TIMED_WAITING);
        inside.release();
        crash.join();
        assertThat(underWay).isNotDone();
    }

    private static void assertUnavailable(Supplier<? extends CompletionStage<?>> call) {
        assertThatThrownBy(() -> Stages.get(call.get())).isInstanceOf(StoreUnavailableException.class);
    }

    private void put(String key) {
        Stages.get(start(key));
    }

    private CompletableFuture<CommitResult> start(String key) {
        return start(engine, key);
    }

    private static CompletableFuture<CommitResult> start(Engine engine, String key) {
        return engine.commit(List.of(commit(key)), Durability.DISK).get(0).toCompletableFuture();
    }

    private static Commit commit(String key) {
        return new Commit(List.of(), List.of(Change.put(key(key), Bytes.EMPTY)));
    }

    private static Bytes key(String key) {
        return Bytes.utf8(key);
    }

    private List<String> stored() {
        return Stages.get(memory.scan(ALL, 10)).entries().stream()
                .map(entry -> entry.key().toUtf8())
                .toList();
    }
}
