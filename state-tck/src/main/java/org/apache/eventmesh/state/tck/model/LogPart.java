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
package org.apache.eventmesh.state.tck.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static java.util.Objects.requireNonNull;
import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** One partition of an ordered log: offsets, deliveries, dead letters, and the ownership that they all need. */
public final class LogPart {
    static final List<Subscriber> SUBSCRIBERS = List.of(Subscriber.group("billing"), Subscriber.group("audit"));

    private static final Receiver RECEIVER = new Receiver(new ClientId("receiver"), 1, "somewhere");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int FAILURES = 3;
    private static final PageRequest ALL = PageRequest.first(1_000);

    private final World world;
    private final Partition partition;
    private final Owned<Shard> owned = new Owned<>();
    private final List<ReaderModel> readers = new ArrayList<>();

    LogPart(World world) {
        this.world = world;
        this.partition = new Partition(world.name("log"), 0);
        SUBSCRIBERS.forEach(subscriber -> readers.add(new ReaderModel()));
    }

    public void takeOver(int at) {
        owned.claimed(world.life(at), get(world.stores(at).deliveries().takeOver(world.member(at), partition)));
    }

    /** Nobody claims from one that was killed: when its lease ends is not what this is about. */
    public void claim(int at) {
        int life = world.life(at);
        if (owned.isOwned() && !world.isAlive(owned.owner())) {
            return;
        }
        ClaimResult<Shard> answer = get(world.stores(at).deliveries().claim(world.member(at), partition));
        boolean blocked = owned.isOwned() && owned.owner() != life;
        assertThat(answer.claimed().isEmpty()).as("held by other").isEqualTo(blocked);
        answer.claimed().ifPresent(shard -> owned.claimed(life, shard));
    }

    public void release(int at) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            get(shard.release());
            owned.released(world.life(at));
        });
    }

    private boolean fenced(int at) {
        return owned.isFenced(world.life(at));
    }

    public void position(int at, int subscriber) {
        assertThat(get(world.stores(at).offsets().position(partition, SUBSCRIBERS.get(subscriber))))
                .isEqualTo(readers.get(subscriber).position());
    }

    public void advance(int at, int subscriber, long to) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            Subscriber named = SUBSCRIBERS.get(subscriber);
            var outcomes = get(world.stores(at).offsets().advance(shard, Map.of(named, to)));
            Object told = Answers.of(requireNonNull(outcomes.get(named)));
            assertThat(told)
                    .isEqualTo(
                            fenced(at)
                                    ? Answers.FENCED
                                    : readers.get(subscriber).advance(to));
        });
    }

    /** From the position as it is, or from another. Not to what is in the dead letters: it is never opened again here. */
    public void reset(int at, int subscriber, boolean expected, long wanted) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            ReaderModel reader = readers.get(subscriber);
            long to = Math.max(wanted, reader.afterLetters());
            OptionalLong from = reader.position();
            Reset reset = from.isEmpty() == expected
                    ? Reset.neverServed(to)
                    : Reset.from(from.orElse(0) + (expected ? 0 : 1), to);
            Object told = Answers.of(get(world.stores(at).offsets().reset(shard, SUBSCRIBERS.get(subscriber), reset)));
            assertThat(told).isEqualTo(fenced(at) ? Answers.FENCED : reader.reset(reset.expected(), to));
        });
    }

    public void remove(int at, int subscriber) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            Object told = Answers.of(get(world.stores(at).offsets().remove(shard, SUBSCRIBERS.get(subscriber))));
            assertThat(told)
                    .isEqualTo(
                            fenced(at)
                                    ? Answers.FENCED
                                    : readers.get(subscriber).remove());
        });
    }

    /**
     * A poll of messages that are all for one subscriber.
     *
     * @param back how far before the cursor it begins; a gap when negative
     */
    public void open(int at, int subscriber, int back, int count, boolean given) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            ReaderModel reader = readers.get(subscriber);
            long from =
                    Math.max(reader.afterLettersUnlessServed(), reader.cursor().orElse(0) - back);
            List<Incoming> messages = new ArrayList<>();
            for (long offset = from; offset < from + count; offset++) {
                messages.add(Incoming.of(offset, Bytes.utf8("message " + offset), Attributes.NONE)
                        .to(SUBSCRIBERS.get(subscriber), given ? Optional.of(RECEIVER) : Optional.empty()));
            }
            OpenReport report = get(shard.open(
                    OpenBatch.range("life", from, from + count, Set.of(SUBSCRIBERS.get(subscriber)), messages, LEASE)));
            List<Object> told = report.deliveries().stream().map(Answers::of).toList();
            Instant now = world.now();
            List<Object> expected = new ArrayList<>();
            for (long offset = from; offset < from + count; offset++) {
                expected.add(
                        fenced(at) ? Answers.FENCED : reader.open(from, offset, now, given ? now.plus(LEASE) : now));
            }
            assertThat(told).isEqualTo(expected);
            report.deliveries().forEach(each -> {
                if (each.orThrow() instanceof OpenResult.Opened opened) {
                    opened.handOut()
                            .ifPresent(
                                    push -> reader.given(opened.delivery().offset(), push.receipt(), now.plus(LEASE)));
                }
            });
        });
    }

    /**
     * Acks under one of the receipts that were given.
     *
     * @param back how many hand-outs ago
     */
    public void ack(int at, int subscriber, long offset, int back) {
        ReaderModel reader = readers.get(subscriber);
        owned.handle(world.life(at))
                .ifPresent(shard -> reader.receipt(offset, back, world.now()).ifPresent(receipt -> {
                    Object told = Answers.of(get(shard.ack(Ack.of(receipt, RECEIVER.client()))));
                    assertThat(told).isEqualTo(fenced(at) ? Answers.FENCED : reader.ack(offset, receipt, world.now()));
                }));
    }

    /**
     * Nacks as {@link #ack} acks.
     *
     * @param delay in seconds, twice as long after each failure
     */
    public void nack(int at, int subscriber, long offset, int back, int delay) {
        ReaderModel reader = readers.get(subscriber);
        Retry retry = new Retry(FAILURES, Duration.ofSeconds(delay), Duration.ofSeconds(100));
        owned.handle(world.life(at))
                .ifPresent(shard -> reader.receipt(offset, back, world.now()).ifPresent(receipt -> {
                    Object told = Answers.of(get(shard.nack(new Nack(receipt, RECEIVER.client(), "no"), retry)));
                    assertThat(told)
                            .isEqualTo(fenced(at) ? Answers.FENCED : reader.nack(offset, receipt, retry, world.now()));
                }));
    }

    public void deadLetter(int at, int subscriber, long offset, int back) {
        ReaderModel reader = readers.get(subscriber);
        owned.handle(world.life(at))
                .ifPresent(shard -> reader.receipt(offset, back, world.now()).ifPresent(receipt -> {
                    Object told = Answers.of(get(shard.deadLetter(receipt, "given up")));
                    assertThat(told)
                            .isEqualTo(fenced(at) ? Answers.FENCED : reader.deadLetter(offset, receipt, world.now()));
                }));
    }

    /** Everything that is due, to one receiver. */
    public void handOut(int at) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            HandOutResult answer = get(shard.handOut(1_000, LEASE, due -> Optional.of(RECEIVER)));
            Set<String> expected = new TreeSet<>();
            Instant now = world.now();
            if (!fenced(at)) {
                for (int n = 0; n < SUBSCRIBERS.size(); n++) {
                    for (long offset : readers.get(n).due(now)) {
                        expected.add(n + " gets " + offset);
                    }
                }
            }
            Set<String> told = new TreeSet<>();
            for (HandOut given : answer.handOuts()) {
                int subscriber = SUBSCRIBERS.indexOf(given.delivery().subscriber());
                told.add(subscriber + " gets " + given.delivery().offset());
                readers.get(subscriber).given(given.delivery().offset(), given.receipt(), now.plus(LEASE));
            }
            assertThat(told).isEqualTo(expected);
        });
    }

    public void withdraw(int at, int subscriber) {
        owned.handle(world.life(at)).ifPresent(shard -> {
            Object told = Answers.of(get(shard.withdraw(SUBSCRIBERS.get(subscriber))));
            assertThat(told)
                    .isEqualTo(
                            fenced(at)
                                    ? Answers.FENCED
                                    : readers.get(subscriber).withdraw());
        });
    }

    public void purge(int at, int subscriber, long offset) {
        DeadLetterId id = new DeadLetterId(partition, offset, SUBSCRIBERS.get(subscriber));
        var letter = get(world.stores(at).deadLetters().find(id));
        assertThat(letter.isPresent())
                .as("dead letter")
                .isEqualTo(readers.get(subscriber).purge(offset));
        letter.ifPresent(found -> get(world.stores(at).deadLetters().purge(found)));
    }

    void compare() {
        var stores = world.stores(0);
        Map<String, Object> told = new TreeMap<>();
        Map<String, Object> expected = new TreeMap<>();
        for (int n = 0; n < SUBSCRIBERS.size(); n++) {
            Subscriber subscriber = SUBSCRIBERS.get(n);
            told.put("position " + n, get(stores.offsets().position(partition, subscriber)));
            expected.put("position " + n, readers.get(n).position());
            Set<String> open = new TreeSet<>();
            get(stores.deliveries().list(DeliveryFilter.of(partition).of(subscriber), ALL))
                    .items()
                    .forEach(each -> open.add(each.offset() + " failed " + each.failures() + ", handed out "
                            + each.handOuts() + ": " + each.payload().toUtf8()));
            told.put("open " + n, open);
            expected.put("open " + n, readers.get(n).open());
            told.put(
                    "dead letters " + n,
                    get(stores.deadLetters().list(DeadLetterFilter.topic(partition.topic()), ALL)).items().stream()
                            .filter(each -> each.id().subscriber().equals(subscriber))
                            .map(each -> each.id().offset())
                            .sorted()
                            .toList());
            expected.put("dead letters " + n, readers.get(n).letters());
        }
        assertThat(told).isEqualTo(expected);
    }
}
