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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The books of the world: what each subscriber was given and what became of it, as seen from outside the dispatcher. For
 * one thread.
 */
final class Ledger {
    /** One message for one subscriber. */
    record Line(String topic, long offset, String subscriber) {}

    private static final class Account {
        private int given;
        private boolean acked;
        private boolean ackedForSure;
        private int nacked;
        private boolean dead;
    }

    private final Map<Line, Account> accounts = new LinkedHashMap<>();
    private final Map<String, TreeSet<Long>> unacknowledged = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Set<Line> ahead = new HashSet<>();
    private final int failures;
    private int settledTwice;
    private int early;
    private int redelivered;
    private boolean unfinished;

    /** Books for these events and all subscribers; {@code failures} nacks make a dead letter. */
    Ledger(List<Event> events, int failures) {
        this.failures = failures;
        for (Event e : events) {
            Topics.subscribers()
                    .forEach(s -> accounts.put(new Line(e.topic(), e.offset(), Topics.name(s)), new Account()));
            unacknowledged.computeIfAbsent(e.topic(), t -> new TreeSet<>()).add(e.offset());
        }
    }

    /** The run came to no end of its own. */
    void unfinished(String why) {
        unfinished = true;
        faults.add(why);
    }

    boolean finished() {
        return !unfinished;
    }

    void given(Line line) {
        Account account = account(line);
        if (account.ackedForSure || account.dead) {
            settledTwice++;
            faults.add("handed out again after it was settled: " + line);
        }
        if (account.given++ > 0) {
            redelivered++;
        }
    }

    /** The client has processed it and said so; whether the dispatcher heard is not known yet. */
    void ackSent(Line line) {
        account(line).acked = true;
    }

    void ackedForSure(Line line) {
        Account account = account(line);
        if (account.ackedForSure || account.dead) {
            settledTwice++;
            faults.add("settled twice: " + line);
        }
        account.ackedForSure = true;
    }

    void nackSent(Line line) {
        account(line).nacked++;
    }

    void dead(Line line) {
        Account account = account(line);
        if (account.ackedForSure) {
            settledTwice++;
            faults.add("dead-lettered although it was acked: " + line);
        }
        account.dead = true;
    }

    /** The broker was told that one message is done. */
    void brokerAcknowledged(String topic, long offset) {
        for (String subscriber : Topics.subscribers().stream().map(Topics::name).toList()) {
            if (!settled(account(new Line(topic, offset, subscriber)))) {
                early++;
                faults.add("acknowledged to the broker while " + subscriber + " has not settled it: " + topic + " "
                        + offset);
            }
        }
        waiting(topic).remove(offset);
    }

    /** The last nack's answer may be lost with the process, so the books count what was sent. */
    private boolean settled(Account account) {
        return account.acked || account.dead || account.nacked >= failures;
    }

    /** The dispatcher says that a subscriber has settled every message before {@code position}. */
    void position(String topic, String subscriber, long position) {
        for (long offset = 0; offset < position; offset++) {
            Line line = new Line(topic, offset, subscriber);
            if (!settled(account(line)) && ahead.add(line)) {
                faults.add("the position " + position + " has passed what is not settled: " + line);
            }
        }
    }

    /** The broker was told that every message before {@code watermark} is done. */
    void brokerCommitted(String topic, long watermark) {
        List.copyOf(waiting(topic).headSet(watermark)).forEach(offset -> brokerAcknowledged(topic, offset));
    }

    private Account account(Line line) {
        return Objects.requireNonNull(accounts.get(line), () -> "nobody sent " + line);
    }

    private NavigableSet<Long> waiting(String topic) {
        return unacknowledged.getOrDefault(topic, new TreeSet<>());
    }

    boolean acknowledgedToBroker(String topic, long offset) {
        return !waiting(topic).contains(offset);
    }

    int settled() {
        return (int) accounts.values().stream().filter(a -> a.acked || a.dead).count();
    }

    int size() {
        return accounts.size();
    }

    int deadLettered() {
        return (int) accounts.values().stream().filter(a -> a.dead).count();
    }

    int redelivered() {
        return redelivered;
    }

    int settledTwice() {
        return settledTwice;
    }

    int early() {
        return early;
    }

    /** Deliveries that a position passed before they were settled. */
    int ahead() {
        return ahead.size();
    }

    int forgotten() {
        return unacknowledged.values().stream().mapToInt(TreeSet::size).sum();
    }

    /** Neither processed by its subscriber nor in the dead letters. */
    List<Line> lost() {
        return accounts.entrySet().stream()
                .filter(e -> !e.getValue().acked && !e.getValue().dead)
                .map(Map.Entry::getKey)
                .toList();
    }

    List<String> faults() {
        return List.copyOf(faults);
    }
}
