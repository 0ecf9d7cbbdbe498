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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The broker: a log that is read from an offset, and a queue that gives each message until it is acknowledged by its
 * newest handle. For one thread.
 */
final class Broker {
    private static final int MOST_PER_POLL = 20;

    private final List<Event> log;
    private final List<Event> queue;
    private final Ledger ledger;
    private final Map<Long, String> handles = new HashMap<>();
    private int handleNumber;
    private int popped;

    Broker(List<Event> events, Ledger ledger) {
        this.log = of(Topics.ORDERED, events);
        this.queue = of(Topics.UNORDERED, events);
        this.ledger = ledger;
    }

    private static List<Event> of(String topic, List<Event> events) {
        return events.stream().filter(e -> e.topic().equals(topic)).toList();
    }

    /** The dispatcher was killed: what it popped and did not acknowledge becomes visible again. */
    void dispatcherDied() {
        popped = 0;
    }

    /** Answers a poll: topic, from, to, then offset, handle and content of each message. */
    Wire poll(String topic, long from) {
        List<Object> fields = new ArrayList<>();
        if (topic.equals(Topics.ORDERED)) {
            int to = (int) Math.min(log.size(), from + MOST_PER_POLL);
            fields.addAll(List.of(topic, from, to));
            log.subList((int) Math.min(from, to), to).forEach(e -> fields.addAll(List.of(e.offset(), "", e.json())));
        } else {
            fields.addAll(List.of(topic, 0, 0));
            for (int n = 0; popped < queue.size() && n < MOST_PER_POLL; popped++) {
                Event e = queue.get(popped);
                if (!ledger.acknowledgedToBroker(topic, e.offset())) {
                    String handle = "handle-" + ++handleNumber;
                    handles.put(e.offset(), handle);
                    fields.addAll(List.of(e.offset(), handle, e.json()));
                    n++;
                }
            }
        }
        return Wire.of("MESSAGES", fields.toArray());
    }

    /** An acknowledgement is accepted under the newest handle only, possibly more than once. */
    void acknowledge(long offset, String handle) {
        if (handle.equals(handles.get(offset)) && !ledger.acknowledgedToBroker(Topics.UNORDERED, offset)) {
            ledger.brokerAcknowledged(Topics.UNORDERED, offset);
        }
    }
}
