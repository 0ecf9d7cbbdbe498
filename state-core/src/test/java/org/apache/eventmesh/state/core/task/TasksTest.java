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
package org.apache.eventmesh.state.core.task;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.world.Instance;
import org.apache.eventmesh.state.core.world.WithheldAnswers;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TasksTest {
    private static final Partition PARTITION = new Partition("tasks", 0);
    private static final Carrier QUEUED =
            new Carrier(Subscriber.group("agents"), Optional.empty(), Duration.ofSeconds(30));
    private static final Receiver AGENT = new Receiver(new ClientId("agent-1"), 7, "a");
    private static final Carrier PUSHED =
            new Carrier(Subscriber.group("agents"), Optional.of(AGENT), Duration.ofSeconds(30));

    private final WithheldAnswers map = new WithheldAnswers();
    private final World world = new World(map);
    private final Instance a = world.instance("a");
    private final Shard shard = a.own(PARTITION);
    private final ShardLoop loop = a.loop(PARTITION);
    private final Tasks tasks = a.tasks;

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void required_T09_a_task_begins_with_its_ownership_and_its_delivery() {
        CreateResult.Created created = created(TaskSamples.whole(), PUSHED);

        assertThat(created.task().state()).isEqualTo(TaskState.SUBMITTED);
        assertThat(created.task().version()).isEqualTo(1);
        assertThat(find("t")).isEqualTo(created.task());
        assertThat(created.owned().token().holder()).isEqualTo(a.member.holder());
        OpenDelivery open = onlyOpen();
        assertThat(open.key().kind()).isEqualTo(DeliveryKind.TASK);
        assertThat(open.task()).contains(TaskSamples.ID);
        assertThat(created.handOut()).hasValueSatisfying(handOut -> {
            assertThat(handOut.receiver()).isEqualTo(AGENT);
            assertThat(handOut.receipt().delivery().number()).isEqualTo(open.number());
            assertThat(handOut.receipt().epoch()).isEqualTo(open.record().getEpoch());
            assertThat(handOut.until()).isEqualTo(world.now().plusSeconds(30));
            assertThat(handOut.delivery().payload()).isEqualTo(Bytes.utf8("in"));
            assertThat(handOut.delivery().task()).contains(TaskSamples.ID);
        });
    }

    @Test
    void a_task_without_a_receiver_waits_for_a_hand_out() {
        assertThat(created(TaskSamples.plain("t"), QUEUED).handOut()).isEmpty();
        assertThat(onlyOpen().receiver()).isEmpty();
        assertThat(onlyOpen().dueAt()).isEqualTo(world.now().toEpochMilli());
    }

    @Test
    void required_T01_the_same_content_exists_and_other_content_conflicts() {
        Task task = created(TaskSamples.plain("t"), QUEUED).task();

        assertThat(create(TaskSamples.plain("t"), PUSHED)).isEqualTo(new CreateResult.Existing(task));
        NewTask other = new NewTask(
                TaskSamples.ID,
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.utf8("other"),
                Attributes.NONE);
        assertThat(create(other, QUEUED)).isEqualTo(new CreateResult.Conflict(task));
        assertThat(onlyOpen()).isNotNull();
    }

    @Test
    void required_T08_creations_at_once_leave_one_task_and_one_delivery() {
        List<CompletableFuture<CreateResult>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(tasks.create(shard, TaskSamples.plain("t"), QUEUED).toCompletableFuture());
        }

        assertThat(calls.stream().map(CompletableFuture::join).filter(CreateResult.Created.class::isInstance))
                .hasSize(1);
        assertThat(onlyOpen()).isNotNull();
    }

    @Test
    void required_T08_creating_again_after_an_unknown_outcome_leaves_one_task() {
        map.withhold();
        CompletionStage<CreateResult> unknown = tasks.create(shard, TaskSamples.plain("t"), QUEUED);
        Awaitility.await().until(() -> map.withheld() > 0);
        world.pass(Duration.ofSeconds(11));
        assertThatThrownBy(() -> Await.result(unknown)).isInstanceOf(OutcomeUnknownException.class);
        map.comeBack();

        assertThat(create(TaskSamples.plain("t"), QUEUED)).isInstanceOf(CreateResult.Existing.class);
        assertThat(onlyOpen()).isNotNull();
        assertThat(Await.result(tasks.claim(a.member, TaskSamples.ID)).claimed())
                .isPresent();
    }

    @Test
    void required_T08_a_backend_that_is_away_surfaces_and_nothing_is_left_of_it() {
        map.goAway();
        assertThatThrownBy(() -> create(TaskSamples.plain("t"), QUEUED)).isInstanceOf(StoreUnavailableException.class);
        map.comeBack();

        assertThat(create(TaskSamples.plain("t"), QUEUED)).isInstanceOf(CreateResult.Created.class);
        assertThat(onlyOpen()).isNotNull();
    }

    @Test
    void required_G14_each_task_of_a_batch_has_its_own_outcome() {
        created(TaskSamples.plain("t1"), QUEUED);
        NewTask large = new NewTask(
                new TaskId("t2"),
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.of(new byte[1_001]),
                Attributes.NONE);

        List<Outcome<CreateResult>> outcomes = Await.result(
                tasks.createAll(shard, List.of(TaskSamples.plain("t1"), large, TaskSamples.plain("t3")), QUEUED));

        assertThat(outcomes.get(0).orThrow()).isInstanceOf(CreateResult.Existing.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(2).orThrow()).isInstanceOf(CreateResult.Created.class);
        assertThat(loop.<Integer>look(index -> index.size())).isEqualTo(2);
    }

    @Test
    void required_G09_what_is_too_large_names_the_limit_and_its_size_and_is_not_written() {
        OwnedTask owned = created(TaskSamples.plain("t"), QUEUED).owned();
        Task task = find("t");
        Bytes large = Bytes.of(new byte[1_001]);

        assertLimit(() ->
                Await.result(owned.move(task, TaskChange.to(TaskState.WORKING).output(large))));
        assertLimit(() ->
                Await.result(owned.move(task, TaskChange.to(TaskState.WORKING).artifact(large))));
        assertThatThrownBy(() -> create(
                        new NewTask(
                                new TaskId("u"),
                                new AgentId("agent"),
                                Optional.empty(),
                                Optional.empty(),
                                Bytes.EMPTY,
                                Attributes.of("name", "x".repeat(1_000))),
                        QUEUED))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("attributes");
        assertThat(find("t")).isEqualTo(task);
        assertThat(Await.result(tasks.find(new TaskId("u")))).isEmpty();
    }

    @Test
    void required_G09_a_task_that_would_outgrow_one_write_is_refused_and_stays() {
        OwnedTask owned = created(TaskSamples.plain("t"), QUEUED).owned();
        TaskChange more = TaskChange.to(TaskState.WORKING);
        for (int i = 0; i < 260; i++) {
            more = more.artifact(Bytes.of(new byte[1_000]));
        }
        Task task = find("t");
        for (int i = 0; i < 3; i++) {
            task = moved(owned.move(task, more));
        }
        Task full = task;
        TaskChange last = more;

        assertThatThrownBy(() -> Await.result(owned.move(full, last)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("task \"t\"");
        assertThat(find("t")).isEqualTo(full);
        moved(tasks.cancel(full.id(), full.version(), "too large"));
    }

    @Test
    void what_no_task_stands_under_can_be_owned_but_not_moved_and_its_creator_takes_it() {
        Task elsewhere = created(TaskSamples.plain("t"), QUEUED).task();
        Await.result(tasks.cancel(elsewhere.id(), elsewhere.version(), "gone"));
        world.pass(Duration.ofSeconds(1));
        assertThat(Await.result(tasks.purge(Instant.MAX, 10)).count()).isOne();

        OwnedTask owned =
                Await.result(tasks.claim(a.member, elsewhere.id())).claimed().orElseThrow();

        assertThat(Await.result(owned.move(elsewhere, TaskChange.to(TaskState.WORKING))))
                .isEqualTo(new TransitionResult.NotFound());
        Task again = created(TaskSamples.plain("t"), QUEUED).task();
        assertThat(Await.result(owned.move(again, TaskChange.to(TaskState.WORKING))))
                .isInstanceOf(Fenced.class);
    }

    @Test
    void required_T03_a_move_is_conditional_on_the_version() {
        OwnedTask owned = created(TaskSamples.plain("t"), QUEUED).owned();
        Task first = find("t");

        Task working = moved(owned.move(first, TaskChange.to(TaskState.WORKING)));
        assertThat(working.version()).isEqualTo(2);
        assertThat(Await.result(owned.move(first, TaskChange.to(TaskState.COMPLETED))))
                .isEqualTo(new TransitionResult.Conflict(working));
        assertThat(Await.result(owned.move(working, TaskChange.to(TaskState.SUBMITTED))))
                .isEqualTo(new TransitionResult.NotAllowed(working));
        Task completed =
                moved(owned.move(working, TaskChange.to(TaskState.COMPLETED).output(Bytes.EMPTY)));
        assertThat(completed.output()).contains(Bytes.EMPTY);
        assertThat(find("t")).isEqualTo(completed);
    }

    @Test
    void required_T04_the_former_owner_is_fenced_after_a_takeover() {
        OwnedTask former = created(TaskSamples.plain("t"), QUEUED).owned();
        Instance b = world.instance("b");
        assertThat(Await.result(b.tasks.claim(b.member, TaskSamples.ID))).isInstanceOf(ClaimResult.HeldByOther.class);
        OwnedTask now = Await.result(b.tasks.takeOver(b.member, TaskSamples.ID));

        assertThat(now.token().epoch()).isGreaterThan(former.token().epoch());
        assertThat(Await.result(former.move(find("t"), TaskChange.to(TaskState.WORKING))))
                .isInstanceOf(Fenced.class);
        assertThat(Await.result(former.lost()).current().orElseThrow().epoch())
                .isEqualTo(now.token().epoch());
        moved(now.move(find("t"), TaskChange.to(TaskState.WORKING)));
        assertThat(Await.result(tasks.task(now.token()).move(find("t"), TaskChange.to(TaskState.COMPLETED))))
                .isInstanceOf(TransitionResult.Moved.class);
    }

    @Test
    void required_T03_a_reply_after_a_cancel_does_not_complete() {
        OwnedTask owned = created(TaskSamples.plain("t"), QUEUED).owned();
        Task read = find("t");
        Task canceled = moved(tasks.cancel(TaskSamples.ID, 1, "no longer needed"));

        assertThat(canceled.version()).isEqualTo(2);
        assertThat(canceled.history().get(1).note()).isEqualTo("no longer needed");
        assertThat(Await.result(owned.move(read, TaskChange.to(TaskState.COMPLETED))))
                .isEqualTo(new TransitionResult.Conflict(canceled));
        assertThat(Await.result(owned.move(canceled, TaskChange.to(TaskState.COMPLETED))))
                .isEqualTo(new TransitionResult.NotAllowed(canceled));
        assertThat(Await.result(tasks.cancel(TaskSamples.ID, 1, "again")))
                .isEqualTo(new TransitionResult.Conflict(canceled));
        assertThat(Await.result(tasks.cancel(new TaskId("none"), 1, ""))).isEqualTo(new TransitionResult.NotFound());
    }

    @Test
    void required_T03_of_a_cancel_and_a_reply_that_race_exactly_one_moves() throws Exception {
        for (int i = 0; i < 50; i++) {
            OwnedTask owned = created(TaskSamples.plain("race" + i), QUEUED).owned();
            Task read = find("race" + i);
            CompletableFuture<TransitionResult> reply = new CompletableFuture<>();
            Thread replying = new Thread(
                    () -> owned.move(read, TaskChange.to(TaskState.COMPLETED)).thenAccept(reply::complete));
            replying.start();
            TransitionResult cancel = Await.result(tasks.cancel(read.id(), read.version(), "race"));
            replying.join();

            boolean canceled = cancel instanceof TransitionResult.Moved;
            assertThat(reply.join() instanceof TransitionResult.Moved).isNotEqualTo(canceled);
            assertThat(find("race" + i).state()).isEqualTo(canceled ? TaskState.CANCELED : TaskState.COMPLETED);
        }
    }

    @Test
    void required_G07_a_task_that_cannot_be_decoded_is_not_absent() {
        OwnedTask owned = created(TaskSamples.plain("t"), QUEUED).owned();
        Task read = find("t");
        world.map.put(TaskKey.bytes(TaskSamples.ID), World.DAMAGED);

        assertThatThrownBy(() -> find("t"))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("TASK(task \"t\")");
        assertThatThrownBy(() -> Await.result(owned.move(read, TaskChange.to(TaskState.WORKING))))
                .isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> create(TaskSamples.plain("t"), QUEUED)).isInstanceOf(CorruptStateException.class);
    }

    @Test
    void a_shard_that_is_lost_creates_nothing() {
        world.instance("b").own(PARTITION);

        assertThat(create(TaskSamples.plain("t"), QUEUED)).isInstanceOf(Fenced.class);
        assertThat(Await.result(tasks.find(TaskSamples.ID))).isEmpty();
    }

    private CreateResult create(NewTask task, Carrier carrier) {
        return Await.result(tasks.create(shard, task, carrier));
    }

    private CreateResult.Created created(NewTask task, Carrier carrier) {
        return (CreateResult.Created) create(task, carrier);
    }

    private Task find(String id) {
        return Await.result(tasks.find(new TaskId(id))).orElseThrow();
    }

    private OpenDelivery onlyOpen() {
        return loop.look(index -> {
            assertThat(index.all()).hasSize(1);
            return index.all().iterator().next();
        });
    }

    private static Task moved(CompletionStage<TransitionResult> result) {
        return ((TransitionResult.Moved) Await.result(result)).task();
    }

    private static void assertLimit(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("1001")
                .hasMessageContaining("payloadBytes is 1000");
    }
}
