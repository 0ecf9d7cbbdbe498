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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** What is more than one commit of the backend holds is done in several, however long its names are. */
class RoomTest {
    private static final int COMMIT = 1 << 16;
    private static final int MANY = 150;
    private static final String LONG = "n".repeat(500);
    private static final Subscriber WIDE = Subscriber.group(LONG);
    private static final Receiver FAR = new Receiver(new ClientId("client " + LONG), 1, "node " + LONG);

    private GatedMap gate = new GatedMap(new Limits(1_000, COMMIT));
    private SharedMap map = new SharedMap(gate);
    private Node node = new Node(map);
    private Shard shard = node.claim();

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    private void restart(Limits limits, StoreLimits settings) {
        close();
        gate = new GatedMap(limits);
        map = new SharedMap(gate);
        node = new Node(map, settings, Durability.DISK, StoreListener.NONE);
        shard = node.claim();
    }

    @Test
    void a_release_of_many() {
        openWide();
        assertThat(Await.result(shard.release(FAR))).isEqualTo(new SweepResult.Done(MANY));
        assertThat(shard.view().byReceiver()).isEmpty();
        assertThat(shard.view().all().open()).isEqualTo(MANY);
    }

    @Test
    void a_release_of_all_that_an_instance_held() {
        openWide();
        assertThat(Await.result(shard.releaseInstance("another node"))).isEqualTo(new SweepResult.Done(0));
        assertThat(Await.result(shard.releaseInstance(FAR.instance()))).isEqualTo(new SweepResult.Done(MANY));
        assertThat(shard.view().byReceiver()).isEmpty();
    }

    @Test
    void a_withdrawal_of_many() {
        openWide();
        assertThat(Await.result(shard.withdraw(WIDE))).isEqualTo(new SweepResult.Done(MANY));
        assertThat(node.open()).isEmpty();
        assertThat(shard.view().watermark()).isEmpty();
    }

    @Test
    void a_hand_out_of_many() {
        openWide();
        map.pass(Polls.LEASE);
        HandOutResult given = Await.result(shard.handOut(MANY, Polls.LEASE, due -> Optional.of(FAR)));
        assertThat(given.handOuts())
                .extracting(handOut -> handOut.delivery().offset())
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(MANY);
    }

    @Test
    void the_end_of_many_with_long_histories() {
        int handOuts = 20;
        restart(new Limits(1_000, 2 * COMMIT), StoreLimits.DEFAULT.withHandOuts(handOuts));
        String longest = "a".repeat(Arguments.REASON);
        List<HandOut> held = Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, 3))));
        for (int failure = 1; failure < handOuts; failure++) {
            List<Nack> nacks = held.stream()
                    .map(each -> new Nack(each.receipt(), ALICE.client(), longest))
                    .toList();
            Await.result(shard.nackAll(nacks, Retry.immediately(99))).forEach(Outcome::orThrow);
            held = Await.result(shard.handOut(10, Polls.LEASE, due -> Optional.of(ALICE)))
                    .handOuts();
            assertThat(held).hasSize(3);
        }
        map.pass(Polls.LEASE);

        HandOutResult.HandedOut last =
                (HandOutResult.HandedOut) Await.result(shard.handOut(10, Polls.LEASE, due -> Optional.of(ALICE)));
        assertThat(last.exhausted()).hasSize(3);
        assertThat(node.open()).isEmpty();
    }

    @Test
    void required_D08_messages_that_nobody_wants_are_complete_however_many_they_are() {
        restart(new Limits(60, COMMIT), StoreLimits.DEFAULT);
        Await.result(shard.open(OpenBatch.unordered(messages(MANY, 1), Polls.LEASE)));
        List<FanOut> completed = Await.result(shard.completed(2 * MANY));
        assertThat(completed).hasSize(MANY);
        assertThat(Await.result(shard.confirm(completed))).isEqualTo(new SweepResult.Done(MANY));
        assertThat(Await.result(shard.completed(2 * MANY))).isEmpty();
    }

    @Test
    void a_withdrawal_of_many_targets_that_were_not_opened() {
        restart(new Limits(1_000, COMMIT), StoreLimits.DEFAULT.withOpenDeliveries(1));
        List<Incoming> messages = messages(MANY, 500).stream()
                .map(message -> message.to(BILLING, ALICE))
                .toList();
        OpenReport report = Await.result(shard.open(OpenBatch.unordered(messages, Polls.LEASE)));
        assertThat(report.handOuts()).hasSize(1);
        assertThat(Await.result(shard.completed(2 * MANY))).isEmpty();

        assertThat(Await.result(shard.withdraw(BILLING))).isEqualTo(new SweepResult.Done(1));
        assertThat(Await.result(shard.completed(2 * MANY))).hasSize(MANY);
    }

    @Test
    void an_opening_for_many_readers() {
        Set<Subscriber> readers = new LinkedHashSet<>();
        for (int reader = 0; reader < 60; reader++) {
            readers.add(Subscriber.group(reader + LONG));
        }
        OpenReport report = Await.result(shard.open(Polls.range(0, 10, readers)));
        assertThat(report.readers())
                .hasSize(60)
                .allSatisfy((reader, place) -> assertThat(place.orThrow()).isEqualTo(new ReaderResult.At(10)));
        OpenReport next = Await.result(shard.open(Polls.range(10, 20, readers)));
        assertThat(next.readers().values()).allMatch(place -> place.orThrow().equals(new ReaderResult.At(20)));
    }

    @Test
    void an_opening_of_large_messages() {
        List<Incoming> messages = large();
        OpenReport ordered = Await.result(shard.open(Polls.range(0, 40, Set.of(BILLING), messages)));
        assertThat(Polls.results(ordered)).hasSize(40).allMatch(OpenResult.Opened.class::isInstance);
        OpenReport unordered = Await.result(shard.open(OpenBatch.unordered(messages, Polls.LEASE)));
        assertThat(Polls.results(unordered)).hasSize(40).allMatch(OpenResult.Opened.class::isInstance);
        // the fan-outs of messages that come again
        OpenReport again = Await.result(shard.open(OpenBatch.unordered(messages, Polls.LEASE)));
        assertThat(Polls.results(again)).hasSize(40).allMatch(OpenResult.AlreadyOpen.class::isInstance);
    }

    @Test
    void an_opening_with_many_targets_of_long_names() {
        openedForAll(40);
    }

    /** The names take more than half a commit, and stand in the fan-out until their deliveries are opened. */
    @Test
    void required_D08_a_fan_out_that_takes_most_of_a_commit_is_opened_in_several() {
        openedForAll(90);
        assertThat(gate.commits()).isGreaterThan(3);
    }

    private void openedForAll(int targets) {
        Incoming message = Polls.message(7).brokerHandle(Bytes.utf8("h"), Duration.ofMinutes(1));
        for (int target = 0; target < targets; target++) {
            message = message.to(Subscriber.single(target + LONG.substring(20)), FAR);
        }
        OpenReport report = Await.result(shard.open(Polls.unordered(message)));
        assertThat(Polls.results(report)).hasSize(targets).allMatch(OpenResult.Opened.class::isInstance);
        OpenReport again = Await.result(shard.open(Polls.unordered(message)));
        assertThat(Polls.results(again)).hasSize(targets).allMatch(OpenResult.AlreadyOpen.class::isInstance);
        OpenReport ordered =
                Await.result(shard.open(Polls.range(7, 8, message.targets().keySet(), message)));
        assertThat(Polls.results(ordered)).hasSize(targets).allMatch(OpenResult.Opened.class::isInstance);
        assertThat(Await.result(shard.completed(1))).isEmpty();
    }

    @Test
    void required_D08_a_message_for_more_targets_than_a_commit_has_room_for_is_opened_in_several() {
        int targets = 200;
        Incoming message = Polls.message(7).brokerHandle(Bytes.utf8("h"), Duration.ofMinutes(1));
        for (int target = 0; target < targets; target++) {
            message = message.to(Subscriber.single("client " + target), ALICE);
        }
        OpenReport report = Await.result(shard.open(Polls.unordered(message)));
        assertThat(Polls.results(report)).hasSize(targets).allMatch(OpenResult.Opened.class::isInstance);
        assertThat(gate.commits()).isGreaterThan(2);
        List<Ack> acks = report.handOuts()
                .map(each -> Ack.of(each.receipt(), ALICE.client()))
                .toList();
        Await.result(shard.ackAll(acks.subList(1, targets))).forEach(Outcome::orThrow);
        assertThat(Await.result(shard.completed(10))).isEmpty();
        Await.result(shard.ack(acks.get(0)));
        assertThat(Await.result(shard.completed(10))).extracting(FanOut::offset).containsExactly(7L);
    }

    /** What is put back for the next commit must leave nothing behind in this one, wherever the edge falls. */
    @Test
    void required_G05_what_is_given_up_together_is_given_up_however_little_a_commit_holds() {
        int many = 20;
        for (int operations = 24; operations < 70; operations++) {
            restart(new Limits(operations, COMMIT), StoreLimits.DEFAULT);
            List<Nack> nacks = Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, many)))).stream()
                    .map(each -> new Nack(each.receipt(), ALICE.client(), "no"))
                    .toList();
            assertThat(Await.result(shard.nackAll(nacks, Retry.immediately(1))))
                    .as("with %d operations a commit", operations)
                    .hasSize(many)
                    .allSatisfy(outcome -> assertThat(outcome.orThrow()).isInstanceOf(NackResult.DeadLettered.class));
        }
    }

    /** Each is the last of its fan-out, whose handle its mark remembers. */
    @Test
    void required_D11_a_withdrawal_that_completes_fan_outs_with_long_handles() {
        openWithHandles(10);
        assertThat(Await.result(shard.withdraw(BILLING))).isEqualTo(new SweepResult.Done(20));
        assertThat(Await.result(shard.completed(50))).hasSize(20);
    }

    @Test
    void required_D05_the_end_of_many_with_long_handles() {
        openWithHandles(1);
        map.pass(Polls.LEASE);
        HandOutResult last = Await.result(shard.handOut(50, Polls.LEASE, due -> Optional.of(ALICE)));
        assertThat(((HandOutResult.HandedOut) last).exhausted()).hasSize(20);
        assertThat(Await.result(shard.completed(50))).hasSize(20);
    }

    @Test
    void required_G14_acks_and_nacks_that_complete_fan_outs_with_long_handles() {
        List<HandOut> held = openWithHandles(10);
        List<Ack> acks = held.subList(0, 10).stream()
                .map(each -> Ack.of(each.receipt(), ALICE.client()))
                .toList();
        List<Nack> nacks = held.subList(10, 20).stream()
                .map(each -> new Nack(each.receipt(), ALICE.client(), "no"))
                .toList();
        Await.result(shard.ackAll(acks)).forEach(Outcome::orThrow);
        Await.result(shard.nackAll(nacks, Retry.immediately(1))).forEach(Outcome::orThrow);
        assertThat(Await.result(shard.completed(50))).hasSize(20);
    }

    private List<HandOut> openWithHandles(int handOuts) {
        restart(new Limits(1_000, 4 * COMMIT), StoreLimits.DEFAULT.withHandOuts(handOuts));
        List<Incoming> messages = messages(20, 64 << 10).stream()
                .map(message -> message.to(BILLING, ALICE))
                .toList();
        List<HandOut> held = Polls.handOuts(Await.result(shard.open(OpenBatch.unordered(messages, Polls.LEASE))));
        assertThat(held).hasSize(20);
        return held;
    }

    /** More dead letters of other hosts than a commit has room for. */
    @Test
    void required_D11_a_withdrawal_forgets_what_other_hosts_gave_up_however_much_it_is() {
        Await.result(shard.open(Polls.range(0, 5, Set.of(BILLING))));
        deadBefore(2_500);
        assertThat(Polls.result(Await.result(shard.open(Polls.forAlice(5, 6))), 0))
                .isInstanceOf(OpenResult.AlreadySettled.class);
        assertThat(Await.result(shard.withdraw(BILLING))).isEqualTo(new SweepResult.Done(0));
        openedAgain();
    }

    @Test
    void required_O05_a_removal_forgets_what_other_hosts_gave_up_however_much_it_is() {
        Await.result(shard.open(Polls.range(0, 5, Set.of(BILLING))));
        deadBefore(2_500);
        assertThat(Await.result(node.offsets().remove(shard, BILLING))).isEqualTo(new RemoveResult.Removed(true));
        assertThat(Await.result(node.offsets().remove(shard, BILLING))).isEqualTo(new RemoveResult.Removed(false));
        openedAgain();
    }

    private void deadBefore(int many) {
        for (long offset = 0; offset < many; offset++) {
            gate.put(ShardKeys.deadBefore(Node.PARTITION, BILLING, offset), Records.NOTHING);
        }
        shard = node.takeOver();
    }

    /** Also by who loads the shard anew. */
    private void openedAgain() {
        shard = node.takeOver();
        assertThat(Polls.results(Await.result(shard.open(Polls.forAlice(2_000, 2_501)))))
                .allMatch(OpenResult.Opened.class::isInstance);
    }

    private void openWide() {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < MANY; offset++) {
            messages.add(Polls.message(offset).to(WIDE, FAR));
        }
        OpenReport report = Await.result(shard.open(Polls.range(0, MANY, Set.of(WIDE), messages)));
        assertThat(report.handOuts()).hasSize(MANY);
    }

    /** Each with a handle of that size, for nobody. */
    private static List<Incoming> messages(int count, int handle) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < count; offset++) {
            messages.add(Polls.message(offset).brokerHandle(Bytes.of(new byte[handle]), Duration.ofHours(1)));
        }
        return messages;
    }

    private static List<Incoming> large() {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < 40; offset++) {
            messages.add(Incoming.of(offset, Bytes.of(new byte[2_000]), Attributes.of("a", "b".repeat(6_000)))
                    .brokerHandle(Bytes.of(new byte[6_000]), Duration.ofHours(1))
                    .to(BILLING, ALICE));
        }
        return messages;
    }
}
