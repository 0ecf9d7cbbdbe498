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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;

/** What children do in the named scenarios. Each says what it was promised, and is killed then. */
final class Scripts {
    private Scripts() {}

    /** Messages 0 to {@code count} of the log for the first reader alone, with that receiver. */
    private static List<HandOut> open(Shard shard, int count, Optional<Receiver> receiver, Duration lease) {
        List<Incoming> messages = new ArrayList<>();
        for (int offset = 0; offset < count; offset++) {
            messages.add(Incoming.of(offset, Plan.payload(Plan.LOG, offset), Plan.attributes(offset))
                    .to(Plan.READERS.get(0), receiver));
        }
        return Await.result(shard.open(
                        OpenBatch.range(Plan.GENERATION, 0, count, Set.of(Plan.READERS.get(0)), messages, lease)))
                .handOuts()
                .toList();
    }

    private static void receipt(HandOut given) {
        Life.say("receipt " + given.receipt().encode());
    }

    /** Advances to 100. */
    static final class Advance implements Script {
        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.MIRROR);
            var results = Await.result(life.stores().offsets().advance(shard, Map.of(Plan.FOLLOWER, 100L)));
            results.values().forEach(Outcome::orThrow);
        }
    }

    /** One event fails three times. */
    static final class FailThreeTimes implements Script {
        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.LOG);
            open(shard, 1, Optional.empty(), Plan.LONG);
            for (int failure = 1; failure <= Plan.FAILURES; failure++) {
                HandOut given = Await.result(shard.handOut(1, Plan.LONG, due -> Optional.of(Plan.ALICE)))
                        .handOuts()
                        .get(0);
                Nack nack = new Nack(given.receipt(), Plan.ALICE.client(), "failure " + failure);
                Await.result(shard.nack(nack, Retry.immediately(Plan.FAILURES)));
            }
        }
    }

    /** Opens and hands out twenty, settles the odd ones. */
    static final class SettleHalf implements Script {
        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.LOG);
            for (HandOut given : open(shard, 20, Optional.of(Plan.ALICE), Plan.LONG)) {
                if (given.delivery().offset() % 2 == 1) {
                    Await.result(shard.ack(Ack.of(given.receipt(), Plan.ALICE.client())));
                }
            }
        }
    }

    /** Hands out two deliveries for a moment, and says the receipts. */
    static final class HandOutTwo implements Script {
        private static final Duration MOMENT = Duration.ofMillis(1);

        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.LOG);
            open(shard, 2, Optional.of(Plan.ALICE), MOMENT).forEach(Scripts::receipt);
        }
    }

    /** One message to three subscribers; one of them acks, twice. */
    static final class Broadcast implements Script {
        @Override
        public void run(Life life) {
            Incoming message = Incoming.of(0, Plan.payload(Plan.POP, 0), Plan.attributes(0))
                    .brokerHandle(Plan.handle(0), Plan.LONG);
            for (Subscriber reader : Plan.READERS) {
                message = message.to(reader, Plan.ALICE);
            }
            List<Incoming> messages = List.of(message);
            OpenBatch batch = OpenBatch.range(Plan.GENERATION, 0, 1, Plan.READERS, messages, Plan.LONG);
            Shard shard = life.shard(Plan.LOG);
            List<HandOut> given = Await.result(shard.open(batch)).handOuts().toList();
            given.forEach(Scripts::receipt);
            Ack ack = Ack.of(given.get(1).receipt(), Plan.ALICE.client());
            Await.result(shard.ack(ack));
            Await.result(shard.ack(ack));
        }
    }

    /** Settles the second of the three of {@link Broadcast} that are left, told by its receipt. */
    static final class AckOne implements Script {
        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.LOG);
            Await.result(shard.ack(Ack.of(Receipt.parse(life.argument(0)), Plan.ALICE.client())));
        }
    }

    /** Opens many and gives them up, one after the other: killed at any of these steps. */
    static final class GiveUp implements Script {
        static final int COUNT = 200;

        @Override
        public void run(Life life) {
            Shard shard = life.shard(Plan.LOG);
            for (HandOut given : open(shard, COUNT, Optional.of(Plan.ALICE), Plan.LONG)) {
                Life.say("asked " + given.delivery().offset());
                Await.result(shard.deadLetter(given.receipt(), "given up"));
                Life.say("promised " + given.delivery().offset());
            }
        }
    }

    /** Opens the place, and stays. */
    static final class Stay implements Script {
        @Override
        public void run(Life life) {}
    }
}
