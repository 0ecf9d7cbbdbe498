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
import java.util.Optional;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.world.Instance;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A task moves with the settlement of the delivery that carries it, in one commit. */
class CarriedTaskTest {
    private static final Partition PARTITION = new Partition("tasks", 0);
    private static final Subscriber AGENTS = Subscriber.group("agents");
    private static final ClientId CLIENT = new ClientId("agent-1");
    private static final Receiver AGENT = new Receiver(CLIENT, 7, "a");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final World world = new World();
    private final Instance a = world.instance("a");
    private final Shard shard = a.own(PARTITION);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void required_T09_an_ack_makes_it_working() {
        HandOut handOut = pushed("t");

        assertThat(ack(handOut)).isInstanceOf(AckResult.Acked.class);
        assertThat(task("t").state()).isEqualTo(TaskState.WORKING);
        assertThat(task("t").version()).isEqualTo(2);
    }

    @Test
    void required_T09_an_ack_after_the_agent_has_moved_it_changes_nothing() {
        CreateResult.Created created = create("t");
        OwnedTask owned = created.owned();
        Await.result(owned.move(created.task(), TaskChange.to(TaskState.INPUT_REQUIRED)));

        assertThat(ack(created.handOut().orElseThrow())).isInstanceOf(AckResult.Acked.class);
        assertThat(task("t").state()).isEqualTo(TaskState.INPUT_REQUIRED);
        assertThat(task("t").version()).isEqualTo(2);
    }

    @Test
    void required_T09_a_dead_letter_fails_it_and_is_not_replayed() {
        HandOut handOut = pushed("t");

        NackResult nack = Await.result(shard.nack(new Nack(handOut.receipt(), CLIENT, "broken"), Retry.immediately(1)));

        assertThat(nack).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(task("t").state()).isEqualTo(TaskState.FAILED);
        assertThat(task("t").history().get(1).note()).isEqualTo("broken");
        DeadLetter letter = Await.result(a.deadLetters.find(((NackResult.DeadLettered) nack).id()))
                .orElseThrow();
        assertThat(letter.task()).contains(TaskSamples.plain("t").id());
        assertThat(Await.result(a.deadLetters.replay(letter, RequestKey.of("once"))))
                .isEqualTo(new ReplayResult.TaskFinal());
    }

    @Test
    void tasks_of_one_queue_have_letters_of_their_own() {
        for (String id : new String[] {"t1", "t2", "t3"}) {
            HandOut handOut = pushed(id);
            NackResult first = Await.result(shard.deadLetter(handOut.receipt(), "unwanted"));
            assertThat(first).isInstanceOf(NackResult.DeadLettered.class);
            assertThat(Await.result(shard.deadLetter(handOut.receipt(), "unwanted")))
                    .isEqualTo(first);
        }

        assertThat(Await.result(a.deadLetters.list(DeadLetterFilter.subscriber(AGENTS), PageRequest.first(10)))
                        .items())
                .extracting(letter -> letter.task().orElseThrow().value())
                .containsExactly("t1", "t2", "t3");
    }

    @Test
    void required_T09_a_withdrawal_rejects_it() {
        pushed("t");

        Await.result(shard.withdraw(AGENTS));

        assertThat(task("t").state()).isEqualTo(TaskState.REJECTED);
    }

    @Test
    void required_T09_the_delivery_of_a_canceled_task_is_withdrawn_at_its_next_hand_out() {
        pushed("t");
        Await.result(a.tasks.cancel(TaskSamples.ID, 1, "no longer needed"));
        world.pass(LEASE.plusSeconds(1));

        assertThat(Await.result(shard.handOut(10, LEASE, due -> Optional.of(AGENT)))
                        .handOuts())
                .isEmpty();
        assertThat(a.loop(PARTITION).<Integer>look(index -> index.size())).isZero();
        assertThat(task("t").state()).isEqualTo(TaskState.CANCELED);
        assertThat(task("t").version()).isEqualTo(2);
    }

    @Test
    void required_T03_an_ack_after_a_cancel_leaves_it_canceled() {
        HandOut handOut = pushed("t");
        Await.result(a.tasks.cancel(TaskSamples.ID, 1, "no longer needed"));

        assertThat(ack(handOut)).isInstanceOf(AckResult.Acked.class);
        assertThat(task("t").state()).isEqualTo(TaskState.CANCELED);
    }

    @Test
    void a_late_ack_of_an_earlier_task_does_not_move_a_new_one_of_the_same_id() {
        HandOut handOut = pushed("t");
        Await.result(a.tasks.cancel(TaskSamples.ID, 1, "no longer needed"));
        world.pass(Duration.ofSeconds(1));
        assertThat(Await.result(a.tasks.purge(Instant.MAX, 10)).count()).isEqualTo(1);
        create("t");

        assertThat(ack(handOut)).isInstanceOf(AckResult.Acked.class);
        assertThat(task("t").state()).isEqualTo(TaskState.SUBMITTED);
    }

    @Test
    void required_G08_a_damaged_task_keeps_its_delivery_open_and_hides_no_other() {
        HandOut bad = pushed("bad");
        HandOut good = pushed("good");
        damage("bad");
        world.pass(LEASE.plusSeconds(1));

        HandOutResult.HandedOut given =
                (HandOutResult.HandedOut) Await.result(shard.handOut(1, LEASE, due -> Optional.of(AGENT)));

        assertThat(given.given())
                .extracting(handOut -> handOut.delivery().id())
                .containsExactly(good.delivery().id());
        assertThat(given.unreadable())
                .singleElement()
                .satisfies(damage -> assertThat(damage.key()).contains("TASK").contains("bad"));
        assertThat(shard.view().unreadable()).isEqualTo(given.unreadable());
        assertThat(shard.view().all().open()).isEqualTo(2);
        assertThatThrownBy(() -> ack(bad))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("bad");
        assertThatThrownBy(() -> Await.result(shard.deadLetter(bad.receipt(), "unwanted")))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("bad");
        assertThat(shard.view().all().open()).isEqualTo(2);
        assertThat(Await.result(a.deadLetters.list(DeadLetterFilter.all(), PageRequest.first(10)))
                        .items())
                .isEmpty();
        assertThat(Await.result(shard.discard(good.delivery().id()))).isInstanceOf(DiscardResult.Decodable.class);
        assertThat(Await.result(shard.discard(bad.delivery().id()))).isEqualTo(new DiscardResult.Discarded());
        assertThat(ack(given.given().get(0))).isInstanceOf(AckResult.Acked.class);
        assertThat(task("good").state()).isEqualTo(TaskState.WORKING);
        assertThat(shard.view().all().open()).isZero();
        assertThat(shard.view().unreadable()).isEmpty();
    }

    @Test
    void a_queue_that_is_gone_is_withdrawn_though_one_of_its_tasks_is_damaged() {
        pushed("bad");
        pushed("good");
        damage("bad");

        assertThat(Await.result(shard.withdraw(AGENTS))).isEqualTo(new SweepResult.Done(2));
        assertThat(task("good").state()).isEqualTo(TaskState.REJECTED);
        assertThatThrownBy(() -> task("bad")).isInstanceOf(CorruptStateException.class);
    }

    private void damage(String id) {
        world.map.put(TaskKey.bytes(TaskSamples.plain(id).id()), World.DAMAGED);
    }

    private CreateResult.Created create(String id) {
        return (CreateResult.Created) Await.result(
                a.tasks.create(shard, TaskSamples.plain(id), new Carrier(AGENTS, Optional.of(AGENT), LEASE)));
    }

    private HandOut pushed(String id) {
        world.pass(Duration.ofMillis(1));
        return create(id).handOut().orElseThrow();
    }

    private AckResult ack(HandOut handOut) {
        return Await.result(shard.ack(Ack.of(handOut.receipt(), CLIENT)));
    }

    private Task task(String id) {
        return Await.result(a.tasks.find(TaskSamples.plain(id).id())).orElseThrow();
    }
}
