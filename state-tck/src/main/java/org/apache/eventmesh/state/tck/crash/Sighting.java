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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.Eventually;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What is found when the place is opened again, held against the ledger. */
final class Sighting {
    private static final int MANY = 100_000;

    private final StateStores stores;
    private final Ledger ledger;
    private final Map<String, String> found = new TreeMap<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final Map<Partition, List<Delivery>> open = new HashMap<>();
    private final Map<Partition, Shard> shards = new HashMap<>();
    private final long readNext;

    private Sighting(StateStores stores, Ledger ledger, Member member) {
        this.stores = stores;
        this.ledger = ledger;
        for (Partition partition : Plan.ALL) {
            Shard shard = get(stores.deliveries().takeOver(member, partition));
            ledger.epoch(partition.topic(), shard.token().epoch());
            shards.put(partition, shard);
        }
        readNext = shard(Plan.LOG).view().readNext().orElse(0);
    }

    /** Throws where the two differ; afterwards the ledger knows what was unanswered. */
    static void check(StateStores stores, Ledger ledger, Member member) {
        Sighting sighting = new Sighting(stores, ledger, member);
        sighting.readOpen();
        sighting.readDeadLetters();
        sighting.readTasks();
        sighting.compare();
        sighting.wholeOrAbsent();
        sighting.positions();
        sighting.watermarks();
        sighting.fanOuts();
        sighting.registrations();
        SessionSighting.check(stores, ledger, sighting.found);
        long lost = new Prefix(sighting::reached).check(ledger.late(), ledger.open());
        ledger.settle(sighting.found, sighting.counts, lost);
    }

    private Shard shard(Partition partition) {
        return Objects.requireNonNull(shards.get(partition));
    }

    private List<Delivery> open(Partition partition) {
        return open.getOrDefault(partition, List.of());
    }

    private void readOpen() {
        for (Partition partition : Plan.ALL) {
            List<Delivery> here = Pages.open(stores, partition);
            open.put(partition, here);
            for (Delivery delivery : here) {
                String thing = Plan.thing(delivery);
                ledger.number(partition.topic() + " " + delivery.id().number(), thing);
                assertThat(found.put(thing, Plan.open(delivery)))
                        .as("%s is open twice", thing)
                        .isNull();
                if (delivery.task().isEmpty()) {
                    assertThat(delivery.payload())
                            .as("payload of %s", thing)
                            .isEqualTo(Plan.payload(partition, delivery.offset()));
                    assertThat(delivery.attributes())
                            .as("attributes of %s", thing)
                            .isEqualTo(Plan.attributes(delivery.offset()));
                }
            }
            assertThat(shard(partition).view().all().open())
                    .as("open deliveries of %s as its owner counts them", partition)
                    .isEqualTo(here.size());
        }
    }

    private void readDeadLetters() {
        List<DeadLetter> letters = Pages.all(page -> stores.deadLetters().list(DeadLetterFilter.all(), page));
        for (DeadLetter letter : letters) {
            Partition partition = letter.id().partition();
            String thing =
                    Plan.thing(partition, letter.id().offset(), letter.id().subscriber());
            assertThat(found.put(thing, Ledger.DEAD))
                    .as("%s is a dead letter, and this beside it", thing)
                    .isNull();
            assertThat(letter.payload())
                    .as("payload of the dead letter %s", thing)
                    .isEqualTo(Plan.payload(partition, letter.id().offset()));
        }
        assertThat(get(stores.deadLetters().count(DeadLetterFilter.all())))
                .as("count of dead letters")
                .isEqualTo(letters.size());
    }

    private void readTasks() {
        for (Task task : Pages.all(page -> stores.tasks().list(TaskFilter.all(), page))) {
            found.put(TaskWork.thing(task.id()), task.state().name());
            assertThat(task.version())
                    .as("version of %s", task.id())
                    .isGreaterThanOrEqualTo(ledger.atLeast(TaskWork.version(task.id())));
            counts.put(TaskWork.version(task.id()), task.version());
            boolean answered = task.state() == TaskState.COMPLETED || task.state() == TaskState.FAILED;
            assertThat(task.output().isPresent())
                    .as("%s is %s and has an output", task.id(), task.state())
                    .isEqualTo(answered);
            task.output().ifPresent(output -> assertThat(output).isEqualTo(Plan.output(task.id())));
        }
    }

    private boolean is(String thing, String value) {
        String seen = found.get(thing);
        return seen == null ? isNothing(value) : seen.equals(value);
    }

    /** Nothing is seen of these. */
    static boolean isNothing(String value) {
        return value.equals(Ledger.ABSENT) || value.equals(Ledger.SETTLED) || value.equals(Ledger.GONE);
    }

    /** Every promise is kept, and what was asked without an answer is wholly there or not at all. */
    private void compare() {
        for (String kind : List.of("delivery", "task")) {
            Set<String> things = ledger.things(kind);
            for (String thing : things) {
                Set<String> allowed = ledger.allowed(thing);
                assertThat(allowed)
                        .as("%s is %s; promised was %s", thing, found.get(thing), ledger.sure(thing))
                        .anyMatch(value -> is(thing, value));
                if (isBehindCursor(thing)) {
                    assertThat(allowed)
                            .as("%s is gone, and the cursor has passed it", thing)
                            .containsAnyOf(Ledger.SETTLED, Ledger.GONE);
                }
            }
            assertThat(things)
                    .as("things that were asked for")
                    .containsAll(found.keySet().stream()
                            .filter(thing -> thing.startsWith(kind + "/"))
                            .toList());
        }
    }

    /** Of the log: not open, and not to be read again. */
    private boolean isBehindCursor(String thing) {
        return thing.startsWith("delivery/" + Plan.LOG.topic() + "/")
                && !found.containsKey(thing)
                && Ledger.offset(thing) < readNext;
    }

    /** Whether a thing has come to a value or passed it; empty where it cannot be seen. */
    private Optional<Boolean> reached(String thing, String value) {
        String seen = found.get(thing);
        if (thing.startsWith("position/")) {
            boolean there = counts.getOrDefault(thing, -1L) >= Long.parseLong(value);
            // only the follower's position is moved by what is asked of it, and by nothing else
            return there && !thing.startsWith("position/" + Plan.MIRROR.topic() + "/")
                    ? Optional.empty()
                    : Optional.of(there);
        }
        if (thing.startsWith("fanout/")) {
            return value.equals(Ledger.CONFIRMED) && "open".equals(seen) ? Optional.of(false) : Optional.empty();
        }
        if (seen != null) {
            return Optional.of(Ledger.rank(seen) >= Ledger.rank(value));
        }
        if (isBehindCursor(thing)) {
            return Optional.of(true);
        }
        boolean settled = ledger.allowed(thing).stream().anyMatch(each -> each.equals(Ledger.SETTLED));
        return thing.startsWith("delivery/") && !settled ? Optional.of(false) : Optional.empty();
    }

    private void wholeOrAbsent() {
        for (Ledger.Asked call : ledger.open()) {
            if (call.atomic()) {
                Set<Boolean> applied = call.things().entrySet().stream()
                        .filter(entry -> !isCount(entry.getKey()) && !ambiguous(entry.getKey(), entry.getValue()))
                        .map(entry -> is(entry.getKey(), entry.getValue()))
                        .collect(Collectors.toSet());
                assertThat(applied).as("one half of %s", call).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    private static boolean isCount(String thing) {
        return thing.startsWith("position/") || thing.startsWith("registration/");
    }

    private boolean ambiguous(String thing, String value) {
        return is(thing, value) && is(thing, ledger.sure(thing));
    }

    private void positions() {
        for (String count : ledger.counts()) {
            if (count.startsWith("position/")) {
                String[] part = count.split("/", -1);
                position(count, new Partition(part[1], 0), part[2]);
            }
        }
    }

    private void position(String count, Partition partition, String name) {
        Subscriber subscriber = Plan.READERS.stream()
                .filter(reader -> Plan.name(reader).equals(name))
                .findFirst()
                .orElse(Plan.FOLLOWER);
        OptionalLong stored = get(stores.offsets().position(partition, subscriber));
        if (stored.isEmpty()) {
            assertThat(ledger.atLeast(count))
                    .as("promised as %s, which is empty", count)
                    .isNegative();
            return;
        }
        long position = stored.getAsLong();
        assertThat(position).as(count).isGreaterThanOrEqualTo(ledger.atLeast(count));
        if (subscriber.equals(Plan.FOLLOWER)) {
            assertThat(position).as(count).isLessThanOrEqualTo(ledger.atMost(count));
        }
        OptionalLong lowest = open(partition).stream()
                .filter(delivery -> delivery.subscriber().equals(subscriber))
                .mapToLong(Delivery::offset)
                .min();
        assertThat(position)
                .as("%s, while an offset before it is open", count)
                .isLessThanOrEqualTo(lowest.orElse(Long.MAX_VALUE));
        if (partition.equals(Plan.LOG)) {
            assertThat(position)
                    .as("%s, with nothing open before that", count)
                    .isGreaterThanOrEqualTo(Math.min(lowest.orElse(Long.MAX_VALUE), readNext));
        }
        counts.put(count, position);
    }

    private void watermarks() {
        ShardView view = shard(Plan.LOG).view();
        assertThat(view.watermark().orElse(-1))
                .as("the watermark, of which the broker was told %d", ledger.watermark())
                .isGreaterThanOrEqualTo(ledger.watermark());
        OptionalLong lowest =
                open(Plan.LOG).stream().mapToLong(Delivery::offset).min();
        if (lowest.isPresent()) {
            assertThat(view.watermark().orElseThrow()).as("watermark").isLessThanOrEqualTo(lowest.getAsLong());
        }
    }

    /** Complete once all is settled, not before, and until it is confirmed. */
    private void fanOuts() {
        // synced facts only: at the level of the process they may be so a moment later
        Eventually.holds(() -> {
            List<FanOut> completed = get(shard(Plan.POP).completed(MANY));
            Set<Long> offsets = completed.stream().map(FanOut::offset).collect(Collectors.toSet());
            assertThat(completed).as("completed fan-outs").hasSameSizeAs(offsets);
            assertThat(completed)
                    .allSatisfy(fanOut -> assertThat(fanOut.brokerHandle()).isEqualTo(Plan.handle(fanOut.offset())));
            for (String thing : ledger.things("fanout")) {
                long offset = Long.parseLong(thing.split("/", -1)[2]);
                fanOut(thing, offset, offsets.remove(offset));
            }
            assertThat(offsets).as("fan-outs that nobody opened").isEmpty();
        });
    }

    private void fanOut(String thing, long offset, boolean complete) {
        Set<String> allowed = ledger.allowed(thing);
        Set<Subscriber> targets = Plan.message(Plan.POP, offset).targets().keySet();
        List<String> deliveries = targets.stream()
                .map(target -> Plan.thing(Plan.POP, offset, target))
                .toList();
        boolean settled = deliveries.stream().allMatch(this::isSettled);
        if (complete) {
            assertThat(settled)
                    .as("%s is complete, and so are %s", thing, deliveries)
                    .isTrue();
            assertThat(ledger.sure(thing))
                    .as("%s is complete again after its confirmation", thing)
                    .isNotEqualTo(Ledger.CONFIRMED);
            found.put(thing, "open");
        } else if (allowed.contains(Ledger.CONFIRMED)) {
            boolean open = deliveries.stream()
                    .anyMatch(delivery ->
                            found.getOrDefault(delivery, Ledger.SETTLED).startsWith("open"));
            assertThat(open && ledger.toldComplete(thing))
                    .as("%s was complete: what was told so is synced, and one of %s is open", thing, deliveries)
                    .isFalse();
            found.put(thing, open ? "open" : Ledger.CONFIRMED);
        } else if (settled && !allowed.contains(Ledger.ABSENT)) {
            throw new AssertionError(thing + " is settled, not confirmed, and not among the completed");
        } else if (deliveries.stream().anyMatch(found::containsKey)) {
            found.put(thing, "open");
        }
    }

    private boolean isSettled(String delivery) {
        String seen = found.get(delivery);
        return seen == null
                ? ledger.allowed(delivery).stream()
                        .anyMatch(value -> value.equals(Ledger.SETTLED) || value.equals(Ledger.GONE))
                : seen.equals(Ledger.DEAD);
    }

    private void registrations() {
        for (int topic = 0; topic < 20; topic++) {
            SubscriptionFilter filter = SubscriptionFilter.topic("topic-" + topic);
            for (Subscription registered :
                    Pages.<Subscription>all(page -> stores.subscriptions().list(filter, page))) {
                String thing = "registration/" + registered.receiver().client().value() + "/"
                        + registered.interest().topic();
                assertThat(ledger.things("registration"))
                        .as("registrations that were asked for")
                        .contains(thing);
                // where a server keeps the lease of the killed process, it is there for some lives to come
                found.put(thing, "there");
            }
        }
    }
}
