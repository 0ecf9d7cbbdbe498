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
package org.apache.eventmesh.state.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.result.Await.result;

/**
 * A process that holds many deliveries of one ordered log in flight and settles them in no order, until it is killed. It
 * says every call before it is made and every answer, and how much memory it has at the same points of each life.
 */
final class LoadChild {
    private static final int BATCH = 500;
    private static final int WAITING = 10;
    private static final Partition PLACE = new Partition("load", 0);
    private static final Subscriber GROUP = Subscriber.group("readers");
    private static final Receiver RECEIVER = new Receiver(new ClientId("reader"), 1, "somewhere");
    /** Other processes may have the machine for a while. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final Duration LONG = Duration.ofHours(10);

    /** What a client still has of a delivery. */
    private record Held(long offset, Receipt receipt) {}

    private final Random random;
    private final Shard shard;
    private final List<Held> held = new ArrayList<>();

    private LoadChild(Shard shard, Random random) {
        this.shard = shard;
        this.random = random;
    }

    /** Arguments: the address, how many to hold in flight, how many to settle, and a seed. */
    public static void main(String[] args) throws IOException {
        int inFlight = Integer.parseInt(args[1]);
        int settle = Integer.parseInt(args[2]);
        StateStores stores = StateStores.open(
                StoreSettings.builder(args[0]).deadline(DEADLINE).build());
        Member member = result(stores.join("load", Duration.ofSeconds(30)));
        long begun = System.nanoTime();
        Shard shard = result(stores.deliveries().takeOver(member, PLACE));
        say("claimed " + Duration.ofNanos(System.nanoTime() - begun).toMillis());
        LoadChild child = new LoadChild(shard, new Random(Long.parseLong(args[3])));
        child.takeUp(stores);
        say("found " + shard.view().readNext().orElse(0));
        int settled = 0;
        for (int quarter = 0; quarter <= 4; quarter++) {
            while (settled < settle / 4 * quarter) {
                child.openUpTo(inFlight);
                settled += child.settle();
            }
            child.openUpTo(inFlight);
            say("memory " + quarter + " " + residentKilobytes());
        }
        say("done");
        while (true) {
            child.openUpTo(inFlight);
            child.settle();
        }
    }

    /** What was in flight when the last life ended: their clients have their receipts. */
    private void takeUp(StateStores stores) {
        Optional<PageRequest> next = Optional.of(PageRequest.first(BATCH));
        while (next.isPresent()) {
            Page<Delivery> page = result(stores.deliveries().list(DeliveryFilter.of(PLACE), next.get()));
            if (!page.unreadable().isEmpty()) {
                throw new IllegalStateException("cannot be read: " + page.unreadable());
            }
            for (Delivery delivery : page.items()) {
                if (!delivery.payload().equals(payload(delivery.offset()))) {
                    throw new IllegalStateException("another payload: " + delivery);
                }
                if (delivery.receiver().isPresent()) {
                    held.add(new Held(delivery.offset(), new Receipt(delivery.id(), delivery.epoch())));
                }
            }
            say("open", page.items().stream().mapToLong(Delivery::offset));
            next = page.next();
        }
    }

    private void openUpTo(int inFlight) {
        while (held.size() < inFlight) {
            long from = shard.view().readNext().orElse(0);
            List<Incoming> messages = LongStream.range(from, from + BATCH)
                    .mapToObj(LoadChild::message)
                    .toList();
            say("opening " + (from + BATCH));
            OpenReport report =
                    result(shard.open(OpenBatch.range("life-1", from, from + BATCH, List.of(GROUP), messages, LONG)));
            report.deliveries().forEach(Outcome::orThrow);
            say("opened " + report.readNext().orElseThrow());
            take(report.handOuts().toList());
            HandOutResult given = result(shard.handOut(BATCH, LONG, due -> Optional.of(RECEIVER)));
            if (!(given instanceof HandOutResult.HandedOut)) {
                throw new IllegalStateException("not handed out: " + given);
            }
            take(given.handOuts());
        }
    }

    private static Incoming message(long offset) {
        Incoming message = Incoming.of(offset, payload(offset), Attributes.NONE);
        return offset % WAITING == 0 ? message.to(GROUP) : message.to(GROUP, RECEIVER);
    }

    private static Bytes payload(long offset) {
        return Bytes.utf8("message " + offset + "-".repeat((int) (offset % 200)));
    }

    private void take(Collection<HandOut> given) {
        say("given", given.stream().mapToLong(handOut -> handOut.delivery().offset()));
        given.forEach(handOut -> held.add(new Held(handOut.delivery().offset(), handOut.receipt())));
    }

    private int settle() {
        List<Held> taken = new ArrayList<>();
        while (taken.size() < BATCH && !held.isEmpty()) {
            int last = held.size() - 1;
            int any = random.nextInt(held.size());
            taken.add(held.set(any, held.get(last)));
            held.remove(last);
        }
        say("settling", taken.stream().mapToLong(Held::offset));
        List<Outcome<AckResult>> answers = result(shard.ackAll(taken.stream()
                .map(each -> Ack.of(each.receipt(), RECEIVER.client()))
                .toList()));
        for (Outcome<AckResult> answer : answers) {
            if (!(answer.orThrow() instanceof AckResult.Acked)) {
                throw new IllegalStateException("not settled by its receipt: " + answer);
            }
        }
        say("settled", taken.stream().mapToLong(Held::offset));
        return taken.size();
    }

    /** As the kernel counts it. */
    private static long residentKilobytes() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private static void say(String what, LongStream offsets) {
        say(what + " " + offsets.mapToObj(Long::toString).collect(Collectors.joining(",")));
    }

    /** Whole lines only: a kill may cut the last one. */
    private static void say(String line) {
        System.out.println(line + " .");
        System.out.flush();
    }
}
