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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.FreshIndex;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Random operations on a shard and on a naive model of it; and after each, the index is what a restart would load. */
class ShardModelTest {
    private static final List<Subscriber> SUBSCRIBERS =
            List.of(Subscriber.group("a"), Subscriber.group("b"), Subscriber.single("a"));
    private static final List<Receiver> RECEIVERS = List.of(
            new Receiver(new ClientId("x"), 1, "one"),
            new Receiver(new ClientId("y"), 2, "one"),
            new Receiver(new ClientId("x"), 3, "two"));
    private static final int STEPS = 250;
    private static final int HAND_OUTS = 3;
    private static final long UNORDERED = 1_000_000;

    /** So few that most calls need several commits. */
    private static final Limits FEW = new Limits(44, 1 << 16);

    private SharedMap map = new SharedMap();
    private final ShardModel model = new ShardModel();
    private final List<Receipt> receipts = new ArrayList<>();
    private Random random = new Random();
    private Node node = node();
    private Shard shard = node.claim();
    private int handles;
    private boolean few;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void follows_the_model(long seed) {
        run(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void follows_the_model_in_small_commits(long seed) {
        node.close();
        map.close();
        map = new SharedMap(new GatedMap(FEW));
        node = node();
        shard = node.claim();
        few = true;
        run(seed);
    }

    private Node node() {
        return new Node(map, StoreLimits.DEFAULT.withHandOuts(HAND_OUTS), Durability.DISK, StoreListener.NONE);
    }

    private void run(long given) {
        long seed = Long.getLong("seed", given);
        random = new Random(seed);
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
                compare();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            node.close();
            map.close();
        }
    }

    private void step() {
        switch (random.nextInt(13)) {
            case 7 -> handOut();
            case 9 -> map.pass(Duration.ofSeconds(random.nextInt(40)));
            case 10 -> confirm();
            case 11 -> seldom();
            case 12 -> together();
            default -> one().run();
        }
    }

    /** Asks for one thing; what it returns awaits the answer and compares it with the model's. */
    private Runnable one() {
        return switch (random.nextInt(9)) {
            case 0, 1 -> open(range());
            case 2 -> open(unordered());
            case 3, 4, 5 -> ack();
            case 6 -> nack();
            case 7 -> withdraw();
            default -> release();
        };
    }

    /** Several at once are decided in the order in which they were asked for, and land in few commits. */
    private void together() {
        List<Runnable> answers = new ArrayList<>();
        for (int i = few ? 1 : 6; i > 0; i--) {
            answers.add(one());
        }
        answers.forEach(Runnable::run);
    }

    private void seldom() {
        switch (random.nextInt(6)) {
            case 2 -> reset();
            case 3 -> advance();
            case 1 -> {
                node.close();
                node = node();
                shard = node.takeOver();
            }
            default -> map.pass(Duration.ofSeconds(1));
        }
    }

    private OpenBatch range() {
        long from = model.cursors.isEmpty()
                ? 100
                : Math.max(0, model.cursors.get(one(List.copyOf(model.cursors.keySet()))) - random.nextInt(3));
        long to = from + random.nextInt(4);
        Set<Subscriber> readers = new HashSet<>();
        SUBSCRIBERS.stream().filter(s -> random.nextInt(3) > 0).forEach(readers::add);
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            if (random.nextInt(5) > 0) {
                messages.add(message(offset, List.copyOf(readers)));
            }
        }
        return Polls.range(from, to, readers, messages);
    }

    private OpenBatch unordered() {
        Set<Long> offsets = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            offsets.add(UNORDERED + random.nextInt(20));
        }
        return OpenBatch.unordered(
                offsets.stream().map(offset -> message(offset, SUBSCRIBERS)).toList(), Polls.LEASE);
    }

    private Incoming message(long offset, List<Subscriber> of) {
        Incoming message = Polls.message(offset);
        for (Subscriber subscriber : of) {
            if (random.nextBoolean()) {
                message =
                        message.to(subscriber, random.nextInt(3) == 0 ? Optional.empty() : Optional.of(one(RECEIVERS)));
            }
        }
        return random.nextBoolean()
                ? message.brokerHandle(Bytes.utf8("handle " + handles++), Duration.ofMinutes(1))
                : message;
    }

    private Runnable open(OpenBatch batch) {
        CompletionStage<OpenReport> opening = shard.open(batch);
        return () -> {
            OpenReport report = Await.result(opening);
            model.opened(batch, report, now());
            report.handOuts().forEach(this::remember);
        };
    }

    private Runnable ack() {
        if (receipts.isEmpty()) {
            return () -> {};
        }
        Ack ack = Ack.of(one(receipts), one(RECEIVERS).client());
        CompletionStage<AckResult> acking = shard.ack(ack);
        return () -> model.acked(ack, Await.result(acking));
    }

    private Runnable nack() {
        if (receipts.isEmpty()) {
            return () -> {};
        }
        Nack nack = new Nack(one(receipts), one(RECEIVERS).client(), "no");
        Retry retry = new Retry(3, Duration.ofSeconds(1), Duration.ofSeconds(5));
        CompletionStage<NackResult> nacking = shard.nack(nack, retry);
        return () -> model.nacked(nack, retry, Await.result(nacking), now());
    }

    private Runnable withdraw() {
        if (random.nextInt(4) > 0) {
            return () -> {};
        }
        Subscriber subscriber = one(SUBSCRIBERS);
        CompletionStage<SweepResult> withdrawing = shard.withdraw(subscriber);
        return () -> model.withdrawn(subscriber, Await.result(withdrawing));
    }

    private void handOut() {
        int limit = 1 + random.nextInt(5);
        Set<Subscriber> routed = new HashSet<>();
        SUBSCRIBERS.stream().filter(s -> random.nextBoolean()).forEach(routed::add);
        Receiver receiver = one(RECEIVERS);
        HandOutResult result = Await.result(shard.handOut(
                limit,
                Polls.LEASE,
                due -> routed.contains(due.subscriber()) ? Optional.of(receiver) : Optional.empty()));
        model.handedOut((HandOutResult.HandedOut) result, limit, HAND_OUTS, routed, now());
        result.handOuts().forEach(this::remember);
    }

    private Runnable release() {
        Receiver receiver = one(RECEIVERS);
        CompletionStage<SweepResult> releasing = shard.release(receiver);
        return () -> model.released(receiver, Await.result(releasing), now());
    }

    private void reset() {
        Subscriber subscriber = one(SUBSCRIBERS);
        OptionalLong expected = random.nextInt(4) == 0 ? OptionalLong.of(7) : model.position(subscriber);
        Reset reset = new Reset(expected, 90 + random.nextInt(30), Optional.of(Polls.GENERATION));
        model.reset(subscriber, reset, Await.result(node.offsets().reset(shard, subscriber, reset)));
    }

    private void advance() {
        Subscriber subscriber = one(SUBSCRIBERS);
        long to = 90L + random.nextInt(30);
        var answers = Await.result(node.offsets().advance(shard, Map.of(subscriber, to)));
        model.advanced(subscriber, to, answers.get(subscriber).orThrow());
    }

    private void confirm() {
        List<FanOut> completed = Await.result(shard.completed(100));
        assertThat(completed.stream().map(FanOut::offset).toList())
                .containsExactlyInAnyOrderElementsOf(
                        model.fanOuts.keySet().stream().filter(model::complete).toList());
        completed.forEach(
                fanOut -> assertThat(fanOut.brokerHandle()).isEqualTo(model.fanOuts.get(fanOut.offset()).handle));
        if (!completed.isEmpty()) {
            FanOut confirmed = one(completed);
            Await.result(shard.confirm(List.of(confirmed)));
            model.fanOuts.remove(confirmed.offset());
        }
    }

    private void compare() {
        assertThat(node.open().stream()
                        .map(d -> d.id().number() + " " + d.offset() + " " + d.subscriber() + " " + d.receiver() + " "
                                + d.handOuts() + " " + d.failures() + " "
                                + d.dueAt().toEpochMilli())
                        .toList())
                .isEqualTo(
                        model.open.values().stream().map(ModelDelivery::words).toList());
        for (Subscriber subscriber : SUBSCRIBERS) {
            Optional<Long> position = map.map()
                    .get(new ProgressKey(Node.PARTITION, subscriber).bytes())
                    .map(entry -> Records.PROGRESS.decode(entry).record())
                    .map(ProgressRecord::getPosition);
            assertThat(position)
                    .isEqualTo(model.position(subscriber).stream().boxed().findAny());
        }
        assertThat(rows(Table.MESSAGE)).isEqualTo(node.messages(shard));
        assertThat(rows(Table.FAN_OUT)).isEqualTo(model.fanOuts.size());
        ShardView view = shard.view();
        assertThat(view.watermark()).isEqualTo(model.watermark());
        assertThat(view.all().open()).isEqualTo(model.open.size());
        assertThat(node.words(shard)).isEqualTo(FreshIndex.words(node.backend(), shard.token()));
    }

    private void remember(HandOut handOut) {
        receipts.add(handOut.receipt());
        model.pushed.put(handOut.receipt(), handOut.receiver().client());
    }

    private long rows(Table table) {
        return Await.result(map.map().scan(KeyWriter.of(table).under(), 10_000))
                .entries()
                .size();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private long now() {
        return map.clock().millis();
    }
}
