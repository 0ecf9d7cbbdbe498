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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.result.Outcome;

/** Opens what the two brokers give: one poll of the log after the other, and the unordered messages in any number. */
final class Openings {
    private static final int MOST = 12;

    private final Promises promises;
    private final Consumer<Held> held;
    private final Shard log;
    private final Shard pop;
    private final AtomicBoolean polling = new AtomicBoolean();
    private final AtomicLong cursor = new AtomicLong();
    private long nextPop;

    Openings(Promises promises, Consumer<Held> held, Shard log, Shard pop) {
        this.promises = promises;
        this.held = held;
        this.log = log;
        this.pop = pop;
        cursor.set(log.view().readNext().orElse(0));
    }

    void popFrom(long offset) {
        nextPop = offset;
    }

    /** What an earlier life asked for without an answer: the broker gives it again. */
    void openAgain(String offsets) {
        if (!offsets.equals("none")) {
            List<Incoming> again = Stream.of(offsets.split(",", -1))
                    .map(offset -> Plan.message(Plan.POP, Long.parseLong(offset)))
                    .toList();
            open(pop, again, OpenBatch.unordered(again, Plan.LONG), false);
        }
    }

    void open(Random random) {
        int count = 1 + random.nextInt(MOST);
        if (random.nextBoolean()) {
            List<Incoming> messages = Plan.messages(Plan.POP, nextPop, nextPop + count);
            nextPop += count;
            open(pop, messages, OpenBatch.unordered(messages, Plan.LONG), true);
        } else if (polling.compareAndSet(false, true)) {
            long from = cursor.get();
            List<Incoming> messages = Plan.messages(Plan.LOG, from, from + count);
            open(
                    log,
                    messages,
                    OpenBatch.range(Plan.GENERATION, from, from + count, Plan.READERS, messages, Plan.LONG),
                    true);
        }
    }

    /** @param take what is found open; when a life begins, the listing gives it */
    private void open(Shard shard, Collection<Incoming> messages, OpenBatch batch, boolean take) {
        boolean unordered = shard == pop;
        Map<String, String> asked = new TreeMap<>();
        for (Incoming message : messages) {
            message.targets()
                    .forEach((subscriber, receiver) -> asked.put(
                            Plan.thing(shard.token().scope(), message.offset(), subscriber),
                            Plan.open(receiver.isPresent() ? 1 : 0, 0, receiver.isPresent())));
            if (unordered) {
                asked.put(fanOut(message.offset()), "open");
            }
        }
        promises.many(asked, () -> shard.open(batch), report -> {
            Map<String, String> things = new TreeMap<>();
            for (Outcome<OpenResult> outcome : report.deliveries()) {
                opened(shard, outcome.orThrow(), take, things);
            }
            if (unordered) {
                messages.forEach(message -> things.put(fanOut(message.offset()), "open"));
            } else {
                end(report);
            }
            return things;
        });
    }

    private void end(OpenReport report) {
        cursor.set(report.readNext().orElseThrow());
        polling.set(false);
    }

    private void opened(Shard shard, OpenResult result, boolean take, Map<String, String> things) {
        if (result instanceof OpenResult.Opened opened) {
            tell(opened.delivery(), things);
            if (take) {
                opened.handOut().ifPresent(given -> held.accept(Held.of(shard, given)));
            }
        } else if (result instanceof OpenResult.AlreadyOpen already) {
            tell(already.existing(), things);
        } else if (!(result instanceof OpenResult.AlreadySettled)) {
            throw new IllegalStateException("not opened: " + result);
        }
    }

    private static void tell(Delivery delivery, Map<String, String> things) {
        String thing = Plan.thing(delivery);
        Life.say("number " + delivery.id().partition().topic() + " "
                + delivery.id().number() + " " + thing);
        things.put(thing, Plan.open(delivery));
    }

    static String fanOut(long offset) {
        return "fanout/" + Plan.POP.topic() + "/" + offset;
    }
}
