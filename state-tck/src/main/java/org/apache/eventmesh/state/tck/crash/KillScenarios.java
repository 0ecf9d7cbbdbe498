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
package org.apache.eventmesh.state.tck.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.crash.Plan.ALICE;
import static org.apache.eventmesh.state.tck.crash.Plan.BOB;
import static org.apache.eventmesh.state.tck.crash.Plan.LOG;
import static org.assertj.core.api.Assertions.assertThat;

/** The named scenarios that need a kill. */
public interface KillScenarios extends Rules {
    @Test
    @Needs(Capability.DURABLE)
    default void scenario_01_offset_100_then_SIGKILL_then_restart_is_100() {
        lifeAndDeath(Scripts.Advance.class, Durability.DISK, "none");

        afterwards(stores -> assertThat(get(stores.offsets().position(Plan.MIRROR, Plan.FOLLOWER)))
                .hasValue(100));
    }

    @Test
    @Needs(Capability.DURABLE)
    default void scenario_04_an_event_fails_three_times_then_SIGKILL_and_it_is_in_the_dead_letters_exactly_once() {
        lifeAndDeath(Scripts.FailThreeTimes.class, Durability.DISK, "none");

        afterwards(stores -> {
            Shard shard = claim(stores);
            assertThat(letters(stores)).singleElement().satisfies(letter -> {
                assertThat(letter.failures())
                        .extracting(DeadLetter.Failure::reason)
                        .containsExactly("failure 1", "failure 2", "failure 3");
                assertThat(letter.payload()).isEqualTo(Plan.payload(LOG, 0));
            });
            assertThat(Pages.open(stores, LOG)).isEmpty();
            assertThat(get(shard.handOut(10, Plan.LONG, due -> Optional.of(ALICE)))
                            .handOuts())
                    .isEmpty();
        });
    }

    @Test
    @Needs(Capability.DURABLE)
    default void scenario_05_deliveries_at_the_level_of_the_process_survive_SIGKILL() {
        lifeAndDeath(Scripts.SettleHalf.class, Durability.PROCESS, "none");

        afterwards(stores -> {
            Shard shard = claim(stores);
            List<Delivery> open = Pages.open(stores, LOG);
            assertThat(open)
                    .extracting(Delivery::offset)
                    .containsExactlyElementsOf(
                            LongStream.range(0, 10).mapToObj(n -> 2 * n).toList());
            assertThat(open).allSatisfy(delivery -> {
                assertThat(delivery.payload()).isEqualTo(Plan.payload(LOG, delivery.offset()));
                assertThat(delivery.handOuts()).isOne();
                assertThat(delivery.receiver()).contains(ALICE);
            });
            assertThat(get(stores.offsets().position(LOG, Plan.READERS.get(0)))).hasValue(0);
            assertThat(shard.view().readNext()).hasValue(20);
        });
    }

    @Test
    @Needs(Capability.DURABLE)
    default void scenario_07_a_late_ack_from_before_a_restart_is_refused_by_a_new_hand_out_and_a_valid_one_accepted() {
        List<Receipt> before = receipts(lifeAndDeath(Scripts.HandOutTwo.class, Durability.DISK, "none"));

        afterwards(stores -> {
            Shard shard = claim(stores);
            List<HandOut> again = new ArrayList<>();
            eventually(() -> {
                again.addAll(get(shard.handOut(
                                10, Plan.LONG, due -> due.offset() == 0 ? Optional.of(BOB) : Optional.empty()))
                        .handOuts());
                assertThat(again).hasSize(1);
            });
            Receipt current = again.get(0).receipt();
            List<Delivery> untouched = Pages.open(stores, LOG);

            assertThat(get(shard.ack(Ack.of(before.get(0), ALICE.client()))))
                    .as("a late ack that meets a new hand-out")
                    .isEqualTo(new Refused.Stale(current.epoch()));
            assertThat(Pages.open(stores, LOG)).isEqualTo(untouched);
            assertThat(get(shard.ack(Ack.of(before.get(1), ALICE.client()))))
                    .as("a late ack that no new hand-out has met")
                    .isInstanceOf(AckResult.Acked.class);
            assertThat(get(shard.ack(Ack.of(current, BOB.client())))).isInstanceOf(AckResult.Acked.class);
            assertThat(Pages.open(stores, LOG)).isEmpty();
            assertThat(get(stores.offsets().position(LOG, Plan.READERS.get(0)))).hasValue(2);
        });
    }

    @Test
    @Needs(Capability.DURABLE)
    default void
            scenario_08_a_broadcast_to_three_with_duplicates_and_crashes_completes_once_and_waits_for_its_slow_one() {
        List<Receipt> three = receipts(lifeAndDeath(Scripts.Broadcast.class, Durability.DISK, "none"));
        afterwards(stores -> {
            Shard shard = claim(stores);
            assertThat(shard.view().watermark()).hasValue(0);
            assertThat(get(shard.completed(10))).as("two have not acked").isEmpty();
            assertThat(get(shard.ack(ack(three.get(1))))).isInstanceOf(AckResult.Duplicate.class);
        });
        lifeAndDeath(Scripts.AckOne.class, Durability.DISK, three.get(2).encode());
        afterwards(stores -> {
            Shard shard = claim(stores);
            assertThat(shard.view().watermark()).as("the slow one is open").hasValue(0);
            assertThat(get(shard.completed(10))).isEmpty();
            assertThat(get(shard.ack(ack(three.get(2))))).isInstanceOf(AckResult.Duplicate.class);
        });
        lifeAndDeath(Scripts.AckOne.class, Durability.DISK, three.get(0).encode());
        FanOut[] complete = new FanOut[1];
        afterwards(stores -> {
            Shard shard = claim(stores);
            assertThat(get(shard.ack(ack(three.get(0))))).isInstanceOf(AckResult.Duplicate.class);
            eventually(() -> assertThat(get(shard.completed(10))).hasSize(1));
            complete[0] = get(shard.completed(10)).get(0);
            assertThat(complete[0].brokerHandle()).isEqualTo(Plan.handle(0));
            eventually(() -> assertThat(shard.view().watermark()).hasValue(1));
        });
        afterwards(stores -> {
            Shard shard = claim(stores);
            eventually(() -> assertThat(get(shard.completed(10)))
                    .as("it stays until it is confirmed")
                    .containsExactly(complete[0]));
            get(shard.confirm(List.of(complete[0])));
            assertThat(get(shard.completed(10))).isEmpty();
        });
        afterwards(stores -> assertThat(get(claim(stores).completed(10)))
                .as("it was confirmed")
                .isEmpty());
    }

    @Test
    @Needs(Capability.DURABLE)
    default void scenario_09_dead_lettering_with_SIGKILL_at_any_step_leaves_it_open_or_dead() {
        Random random = Seeds.next(this);
        int lines = 4 + random.nextInt(2 * Scripts.GiveUp.COUNT - 10);
        Set<Long> promised;
        Set<Long> asked;
        try (Child child = Child.start(Place.of(kit().fixture(), Durability.DISK), Scripts.GiveUp.class)) {
            child.begin("none");
            List<String> heard = new ArrayList<>();
            while (heard.size() < lines) {
                heard.add(child.next().orElseThrow());
            }
            child.kill();
            child.rest(heard::add);
            promised = offsets(heard, "promised ");
            asked = offsets(heard, "asked ");
        }
        afterwards(stores -> {
            Shard shard = claim(stores);
            Set<Long> open =
                    Pages.open(stores, LOG).stream().map(Delivery::offset).collect(Collectors.toSet());
            List<Long> dead =
                    letters(stores).stream().map(letter -> letter.id().offset()).toList();
            assertThat(dead).as("dead letters after line %d", lines).doesNotHaveDuplicates();
            assertThat(dead).containsAll(promised);
            assertThat(asked).containsAll(dead);
            assertThat(open).as("never both").doesNotContainAnyElementsOf(dead);
            assertThat(open.size() + dead.size()).as("never neither").isEqualTo(Scripts.GiveUp.COUNT);
            assertThat(shard.view().all().open()).isEqualTo(open.size());
            assertThat(get(stores.offsets().position(LOG, Plan.READERS.get(0)))).hasValue(dead.size());
        });
    }

    private static Set<Long> offsets(List<String> heard, String beginning) {
        return heard.stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> Long.parseLong(line.substring(beginning.length())))
                .collect(Collectors.toSet());
    }

    private static Ack ack(Receipt receipt) {
        return Ack.of(receipt, ALICE.client());
    }

    private static List<Receipt> receipts(List<String> heard) {
        String beginning = "receipt ";
        return heard.stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> Receipt.parse(line.substring(beginning.length())))
                .toList();
    }

    private List<DeadLetter> letters(StateStores stores) {
        return Pages.all(page -> stores.deadLetters().list(DeadLetterFilter.topic(LOG.topic()), page));
    }

    private Shard claim(StateStores stores) {
        Member member = get(stores.join("parent", Duration.ofSeconds(30)));
        return get(stores.deliveries().takeOver(member, LOG));
    }

    /** A child does what its script says, and is killed when all was promised. */
    private List<String> lifeAndDeath(Class<? extends Script> script, Durability level, String arguments) {
        List<String> heard = new ArrayList<>();
        try (Child child = Child.start(Place.of(kit().fixture(), level), script)) {
            child.begin(arguments);
            for (String line = ""; !line.equals("done"); heard.add(line)) {
                line = child.next().orElseThrow(() -> new AssertionError("the child ended after " + heard));
            }
            child.kill();
        }
        return heard;
    }

    /** Opens the place again, here. */
    private void afterwards(Consumer<StateStores> look) {
        try (StateStores stores = Place.of(kit().fixture(), Durability.DISK).open()) {
            look.accept(stores);
        }
    }
}
