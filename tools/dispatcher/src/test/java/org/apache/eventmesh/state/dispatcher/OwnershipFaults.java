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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What two instances did to each other. */
interface OwnershipFaults extends Faults {
    /** Both read the same list of what was due, and both pushed it. */
    @Test
    default void fault_07_the_same_delivery_claimed_by_two_dispatchers() {
        int messages = 40;
        Log log = new Log();
        log.publish(messages);
        Node a = node("A");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        assertThat(a.inbox().take()).hasSize(messages);
        a.subscribe(BOB, ORDERS, BILLING);
        get(a.dispatcher().clients().disconnect(ALICE));

        // in one process: both have the token, and both are in the middle of a round
        Inbox other = new Inbox();
        Dispatcher second = a.another(other);
        second.serve(ORDERS_0, log);
        Faults.together(List.<Callable<Boolean>>of(() -> round(a.dispatcher()), () -> round(second)));
        List<HandOut> pushed = new ArrayList<>(a.inbox().take());
        pushed.addAll(other.take());
        assertThat(pushed)
                .extracting(handOut -> handOut.delivery().id())
                .hasSize(messages)
                .doesNotHaveDuplicates();

        // in two processes: one of them owns, and the former owner hands out nothing more
        Node b = node("B");
        assertThat(b.dispatcher().serve(ORDERS_0, log)).isInstanceOf(ClaimResult.HeldByOther.class);
        b.dispatcher().takeOver(ORDERS_0, log);
        letHandOutsEnd();
        a.dispatcher().tick();
        second.tick();
        b.dispatcher().tick();
        assertThat(a.inbox().all()).isEmpty();
        assertThat(other.all()).isEmpty();
        assertThat(b.inbox().all())
                .extracting(handOut -> handOut.delivery().id())
                .hasSize(messages)
                .doesNotHaveDuplicates();
        assertThat(get(a.dispatcher().ack(BOB, pushed.get(0).receipt()))).isInstanceOf(Fenced.class);
    }

    private static boolean round(Dispatcher dispatcher) {
        dispatcher.tick();
        return true;
    }

    /** A connection's end was noticed late, and took away what the client had registered elsewhere meanwhile. */
    @Test
    default void fault_12_an_unregister_from_the_instance_the_client_left() {
        Node a = node("A");
        Node b = node("B");
        a.subscribe(CAROL, ORDERS, BILLING);
        b.subscribe(CAROL, ORDERS, BILLING);

        assertThat(get(a.dispatcher().clients().unsubscribe(CAROL, ORDERS))).isInstanceOf(Fenced.class);
        get(a.dispatcher().clients().disconnect(CAROL));

        assertThat(get(b.instance()
                                .stores()
                                .subscriptions()
                                .list(SubscriptionFilter.topic(ORDERS), PageRequest.first(10)))
                        .items())
                .extracting(Subscription::receiver)
                .extracting(Receiver::instance)
                .containsExactly("B");
        Log log = new Log();
        log.publish(1);
        b.dispatcher().serve(ORDERS_0, log);
        b.dispatcher().tick();
        assertThat(b.inbox().of(CAROL)).hasSize(1);
    }

    /** The sweeper had read that a session was idle; by the time it removed it, it was not. */
    @Test
    default void fault_13_a_session_expired_that_another_instance_just_touched() {
        Node a = node("A");
        Node b = node("B");
        SessionId id = new SessionId("session");
        Duration idle = Duration.ofMinutes(5);
        get(a.dispatcher().sessions().open(new SessionSpec(id, idle, Attributes.NONE)));
        kit().time().jump(idle.plusSeconds(10));
        Hold sweeping = a.instance().sharedFaults().hold(Which.next());
        CompletionStage<Void> round = CompletableFuture.runAsync(a.dispatcher()::tick);
        Eventually.holds(() -> assertThat(sweeping.size()).isOne());

        // the clock of the other instance is behind
        kit().time().jump(Duration.ofSeconds(-20));
        Optional<Session> touched = get(b.dispatcher().sessions().touch(id));
        sweeping.release();
        get(round);

        assertThat(touched).isPresent();
        assertThat(a.troubles()).isEmpty();
        assertThat(get(a.dispatcher().sessions().touch(id))).isPresent();
    }
}
