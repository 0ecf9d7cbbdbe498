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
package org.apache.eventmesh.state.cli.demo;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The clients: most ack at once, some late, one disconnects with messages in its hands, one fails on some messages each
 * time. For one thread.
 */
final class Clients {
    private static final int EACH_LATE = 7;
    private static final int HELD_BACK = 40;
    private static final String LEAVER = "billing-2";
    private static final int LEAVES_AFTER = 12;

    private record Hand(String receipt, String client, Ledger.Line line) {}

    private final Map<String, Set<Long>> failing;
    private final Ledger ledger;
    private final Queue<Hand> late = new ArrayDeque<>();
    private final Map<Long, Ledger.Line> asked = new HashMap<>();
    private final Set<String> connected = new HashSet<>();
    private Consumer<Wire> toDispatcher;
    private long number;
    private int leaverHolds;
    private int count;
    private boolean left;

    Clients(Map<String, Set<Long>> failing, Ledger ledger, Consumer<Wire> toDispatcher) {
        this.failing = failing;
        this.ledger = ledger;
        this.toDispatcher = toDispatcher;
    }

    /** All that have not left connect, to a dispatcher that has just started. */
    void connect(Consumer<Wire> dispatcher) {
        toDispatcher = dispatcher;
        for (Topics.Seat seat : Topics.SEATS) {
            if (!(left && seat.client().equals(LEAVER))) {
                connected.add(seat.client());
                toDispatcher.accept(Wire.of("CONNECT", seat.client()));
            }
        }
        toDispatcher.accept(Wire.of("CONNECTED"));
    }

    /** A message arrives at a client. */
    void receive(String receipt, String client, Ledger.Line line) {
        ledger.given(line);
        if (client.equals(LEAVER) && !left) {
            // It takes messages and goes away without a word.
            if (++leaverHolds >= LEAVES_AFTER) {
                left = true;
                connected.remove(client);
                toDispatcher.accept(Wire.of("DISCONNECT", client));
            }
            return;
        }
        if (!connected.contains(client)) {
            return;
        }
        boolean fails = line.subscriber().equals(Topics.name(Topics.SHIPPING))
                && failing.getOrDefault(line.topic(), Set.of()).contains(line.offset());
        Hand hand = new Hand(receipt, client, line);
        if (fails) {
            ledger.nackSent(line);
            ask("NACK", hand);
        } else if (count++ % EACH_LATE == 0) {
            late.add(hand);
            ackLate(HELD_BACK);
        } else {
            ack(hand);
        }
    }

    /** Acks what was held back, down to {@code keep} messages; they may be from before a restart. */
    void ackLate(int keep) {
        while (late.size() > keep) {
            ack(late.remove());
        }
    }

    /** The dispatcher's answer to an ack or a nack. */
    void answered(long question, String answer) {
        Ledger.Line line = asked.remove(question);
        if (line != null && answer.equals("Acked")) {
            ledger.ackedForSure(line);
        } else if (line != null && answer.equals("DeadLettered")) {
            ledger.dead(line);
        }
    }

    private void ack(Hand hand) {
        ledger.ackSent(hand.line());
        ask("ACK", hand);
    }

    private void ask(String word, Hand hand) {
        asked.put(++number, hand.line());
        toDispatcher.accept(Wire.of(word, number, hand.receipt(), hand.client()));
    }
}
