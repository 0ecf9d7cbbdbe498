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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;

/**
 * Deliveries of all kinds, opened, handed out and settled with many calls outstanding, and everything else beside them,
 * until the kill. Calls on one delivery follow each other; all else is concurrent.
 */
final class Workload implements Script {
    /** More than these, and nothing more is opened. */
    private static final int ENOUGH = 150;

    private static final int SELDOM = 300;

    private final Promises promises = new Promises();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inHand = new AtomicInteger();
    private final AtomicBoolean handingOut = new AtomicBoolean();

    @Override
    public void run(Life life) {
        Random random = new Random(Long.parseLong(life.argument(0)));
        Shard log = life.shard(Plan.LOG);
        Shard pop = life.shard(Plan.POP);
        Openings openings = new Openings(promises, this::take, log, pop);
        TaskWork tasks = new TaskWork(promises, this::take, life);
        SideWork side = new SideWork(promises, life, log, pop);
        SessionWork sessions = new SessionWork(promises, life);
        openings.openAgain(life.argument(2));
        openings.popFrom(Long.parseLong(life.argument(1)));
        tasks.from(Long.parseLong(life.argument(3)));
        side.from(Long.parseLong(life.argument(4)));
        sessions.from(Long.parseLong(life.argument(5)));
        Pace pace = Pace.valueOf(life.argument(6));
        Pages.open(life.stores(), Plan.LOG)
                .forEach(found -> Held.of(log, found, Optional.empty()).ifPresent(this::take));
        Pages.open(life.stores(), Plan.POP)
                .forEach(found -> Held.of(pop, found, Optional.empty()).ifPresent(this::take));
        tasks.takeUp();
        while (true) {
            promises.awaitRoom();
            boolean synced = pace == Pace.OFTEN || random.nextInt(SELDOM) == 0;
            int dice = random.nextInt(100);
            if (dice < 12) {
                openIfFew(openings, random);
            } else if (dice < 24) {
                handOut(random.nextBoolean() ? log : pop, 1 + random.nextInt(20));
            } else if (dice < 34) {
                if (synced) {
                    alwaysSynced(dice, tasks, sessions, random);
                }
            } else if (dice < 42) {
                side.any(random, synced);
            } else {
                settle(dice, tasks, random, synced);
            }
        }
    }

    private static void alwaysSynced(int dice, TaskWork tasks, SessionWork sessions, Random random) {
        if (dice < 29) {
            tasks.create();
        } else if (dice < 32) {
            tasks.move(random);
        } else {
            sessions.any(random);
        }
    }

    private void take(Held taken) {
        inHand.incrementAndGet();
        held.add(taken);
    }

    private void openIfFew(Openings openings, Random random) {
        if (inHand.get() < ENOUGH) {
            openings.open(random);
        }
    }

    private void handOut(Shard shard, int limit) {
        if (!handingOut.compareAndSet(false, true)) {
            return;
        }
        promises.handOut(
                shard.token().scope().topic(),
                () -> shard.handOut(
                        limit, Plan.LONG, due -> Optional.of(due.failures() % 2 == 0 ? Plan.ALICE : Plan.BOB)),
                result -> {
                    handingOut.set(false);
                    Map<String, String> things = new TreeMap<>();
                    HandOutResult.HandedOut done = (HandOutResult.HandedOut) result;
                    if (!done.exhausted().isEmpty() || !done.unreadable().isEmpty()) {
                        throw new IllegalStateException("nothing is exhausted or unreadable here");
                    }
                    done.given().forEach(given -> {
                        things.put(Plan.thing(given.delivery()), Plan.open(given.delivery()));
                        take(Held.of(shard, given));
                    });
                    return things;
                });
    }

    private void settle(int dice, TaskWork tasks, Random random, boolean synced) {
        Held taken = held.poll();
        if (taken == null) {
            return;
        }
        boolean last = taken.delivery().failures() + 1 == Plan.FAILURES;
        if (taken.task().isPresent() && !synced) {
            held.add(taken);
            return;
        }
        inHand.decrementAndGet();
        if (taken.task().isPresent()) {
            tasks.settle(taken, random);
        } else if (dice < 75 || (!synced && (last || dice >= 95))) {
            ack(taken);
        } else if (dice < 95) {
            nack(taken);
        } else {
            giveUp(taken);
        }
    }

    private void ack(Held taken) {
        promises.one(Map.of(taken.thing(), Ledger.SETTLED), () -> taken.shard().ack(taken.ack()), result -> {
            Map<String, String> things = new TreeMap<>();
            things.put(taken.thing(), Ledger.SETTLED);
            position(taken.delivery(), ((AckResult.Acked) result).position(), things);
            return things;
        });
    }

    private static void position(Delivery of, OptionalLong position, Map<String, String> things) {
        position.ifPresent(at ->
                things.put("position/" + of.id().partition().topic() + "/" + Plan.name(of.subscriber()), "" + at));
    }

    private void nack(Held taken) {
        Delivery delivery = taken.delivery();
        int failures = delivery.failures() + 1;
        String after = failures == Plan.FAILURES ? Ledger.DEAD : Plan.open(delivery.handOuts(), failures, false);
        Nack nack = new Nack(taken.receipt(), taken.receiver().client(), "failure " + failures);
        Retry retry = new Retry(Plan.FAILURES, Duration.ZERO, Duration.ZERO);
        promises.one(Map.of(taken.thing(), after), () -> taken.shard().nack(nack, retry), result -> {
            Map<String, String> things = new TreeMap<>();
            things.put(taken.thing(), after);
            if (result instanceof NackResult.DeadLettered dead && failures == Plan.FAILURES) {
                position(delivery, dead.position(), things);
            } else if (!(result instanceof NackResult.Rescheduled rescheduled)
                    || rescheduled.failures() != failures
                    || failures == Plan.FAILURES) {
                throw new IllegalStateException("failure " + failures);
            }
            return things;
        });
    }

    private void giveUp(Held taken) {
        promises.one(
                Map.of(taken.thing(), Ledger.DEAD),
                () -> taken.shard().deadLetter(taken.receipt(), "given up"),
                result -> {
                    Map<String, String> things = new TreeMap<>();
                    things.put(taken.thing(), Ledger.DEAD);
                    position(taken.delivery(), ((NackResult.DeadLettered) result).position(), things);
                    return things;
                });
    }
}
