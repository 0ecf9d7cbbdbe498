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
package org.apache.eventmesh.state.dispatcher;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.kit.Below;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Brokers and agents that heard too early, too late, or nothing more. */
interface WorkFaults extends Faults {
    /** The first receiver's ack went through to the broker, and a crash lost the message for the others. */
    @Test
    default void fault_06_a_broker_acknowledgement_before_the_last_receiver() {
        List<ClientId> everybody = List.of(ALICE, BOB, CAROL);
        Queue queue = new Queue(kit().time().clock());
        queue.publish(1);
        Node a = node("A");
        Node b = node("B");
        everybody.forEach(client -> a.subscribe(client, SIGNALS, Faults.broadcastTo(client)));
        a.dispatcher().serve(SIGNALS_0, queue);
        a.dispatcher().tick();
        assertThat(a.inbox().all()).hasSize(3);
        a.inbox().of(ALICE).forEach(a::ack);
        a.inbox().of(BOB).forEach(a::nack);
        a.dispatcher().tick();
        assertThat(queue.acknowledged()).isEmpty();

        // the broker gives it again, under another handle: nobody who has it gets it twice
        a.inbox().of(BOB).stream().skip(1).forEach(a::ack);
        letInvisibleTimeEnd();
        a.dispatcher().tick();
        assertThat(queue.acknowledged()).isEmpty();
        List<HandOut> late = a.inbox().of(CAROL);
        assertThat(a.inbox().of(ALICE)).hasSize(1);
        assertThat(a.inbox().of(BOB)).hasSize(2);

        // the last one acks, and the broker is away; whoever serves the partition then tells it
        queue.refuse(true);
        assertThat(a.ack(late.get(late.size() - 1))).isInstanceOf(AckResult.Acked.class);
        a.dispatcher().tick();
        assertThat(a.troubles()).anySatisfy(trouble -> assertThat(trouble).contains("the broker is away"));
        a.instance().crash();
        queue.refuse(false);
        b.dispatcher().takeOver(SIGNALS_0, queue);
        b.dispatcher().tick();
        b.dispatcher().tick();
        assertThat(queue.acknowledged()).as("once, by the newest handle").containsExactly("0/2");
    }

    /** One record that nobody could read ended the only thread that delivered. */
    @Test
    default void fault_10_a_tick_thread_that_dies_of_one_bad_record() {
        Log log = new Log();
        log.publish(3);
        Node a = node("A");
        Node b = node("B");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        a.instance().crash();
        try (Below below = kit().below()) {
            below.damage(below.records("DELIVERY").get(1));
        }
        letHandOutsEnd();

        b.subscribe(ALICE, ORDERS, BILLING);
        Inbox inbox = new Inbox();
        try (Dispatcher dispatcher = b.another(handOut -> {
            inbox.push(handOut);
            if (handOut.delivery().offset() == 0) {
                throw new AssertionError("not even an exception");
            }
        })) {
            dispatcher.takeOver(new Partition("broken", 0), new BrokenLog());
            dispatcher.takeOver(ORDERS_0, log);
            dispatcher.start(Duration.ofMillis(1));

            Eventually.holds(() -> assertThat(Faults.offsets(inbox.all())).contains(0L, 2L));
            log.publish(1);
            Eventually.holds(() -> assertThat(Faults.offsets(inbox.all())).contains(3L));
            Eventually.holds(() -> assertThat(b.troubles())
                    .anySatisfy(trouble -> assertThat(trouble).contains("DELIVERY")));
        }
        assertThat(Faults.offsets(inbox.all())).doesNotContain(1L);
        assertThat(b.position(ORDERS_0, BILLING))
                .as("held back by what is not settled")
                .hasValue(0);
    }

    /** The agent answered after the task had been cancelled, and the answer won. */
    @Test
    default void fault_11_a_late_task_reply_after_cancel() {
        Node a = node("A");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.dispatcher().serve(ORDERS_0, new Log());
        TaskId late = submit(a, "late");
        HandOut work = a.inbox().take().get(0);
        assertThat(work.delivery().task()).contains(late);
        assertThat(a.ack(work)).isInstanceOf(AckResult.Acked.class);
        assertThat(task(a, late).state()).isEqualTo(TaskState.WORKING);

        Task canceled = ((TransitionResult.Moved) get(a.dispatcher().tasks().cancel(late, "not needed"))).task();
        assertThat(get(a.dispatcher().tasks().reply(late, Bytes.utf8("done"))))
                .isEqualTo(new TransitionResult.NotAllowed(canceled));
        assertThat(task(a, late)).isEqualTo(canceled);

        // and where both come at once, one of them is told that it came too late
        for (int n = 0; n < 10; n++) {
            TaskId id = submit(a, "race-" + n);
            List<TransitionResult> answers = Faults.together(List.<Callable<TransitionResult>>of(
                    () -> get(a.dispatcher().tasks().cancel(id, "not needed")),
                    () -> get(a.dispatcher().tasks().reply(id, Bytes.utf8("done")))));
            boolean wasCanceled = answers.get(0) instanceof TransitionResult.Moved;
            assertThat(answers.get(1) instanceof TransitionResult.Moved)
                    .as("%s", answers)
                    .isNotEqualTo(wasCanceled);
            Task after = task(a, id);
            assertThat(after.state()).isEqualTo(wasCanceled ? TaskState.CANCELED : TaskState.COMPLETED);
            assertThat(after.output()).isEqualTo(wasCanceled ? Optional.empty() : Optional.of(Bytes.utf8("done")));
        }
    }

    private static TaskId submit(Node node, String name) {
        TaskId id = new TaskId(name);
        NewTask task = new NewTask(
                id, new AgentId("agent"), Optional.empty(), Optional.empty(), Bytes.utf8("do it"), Attributes.NONE);
        assertThat(get(node.dispatcher().tasks().submit(ORDERS_0, task, BILLING)))
                .isInstanceOf(CreateResult.Created.class);
        return id;
    }

    private static Task task(Node node, TaskId id) {
        return get(node.instance().stores().tasks().find(id)).orElseThrow();
    }

    /** A broker that answers nothing. */
    final class BrokenLog implements OrderedBroker {
        @Override
        public Read read(Partition partition, long from, int most) {
            throw new IllegalStateException("no leader for " + partition);
        }

        @Override
        public long beginning(Partition partition) {
            throw new IllegalStateException("no leader for " + partition);
        }

        @Override
        public void commit(Partition partition, long watermark) {
            throw new IllegalStateException("no leader for " + partition);
        }
    }
}
