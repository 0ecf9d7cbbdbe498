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
package org.apache.eventmesh.state.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.result.Unreadable;

/**
 * A shard at a glance; plain values from the owner's index.
 *
 * @param watermark every offset below is settled for every subscriber, synced: commit it to the broker; empty before
 *     the first reader entered
 * @param readNext the lowest cursor: read the broker from there; empty before the first reader entered
 * @param nextDue when to hand out next
 * @param unreadable open deliveries that could not be decoded; they hold back their subscribers until discarded
 */
public record ShardView(
        OptionalLong watermark,
        OptionalLong readNext,
        Backlog all,
        Map<Subscriber, Backlog> bySubscriber,
        Map<Receiver, Backlog> byReceiver,
        Optional<Instant> nextDue,
        List<Unreadable> unreadable) {
    public ShardView {
        Check.given("watermark", watermark);
        Check.given("readNext", readNext);
        Check.given("all", all);
        Check.given("nextDue", nextDue);
        bySubscriber = Check.entries("bySubscriber", bySubscriber);
        byReceiver = Check.entries("byReceiver", byReceiver);
        unreadable = Check.elements("unreadable", unreadable);
    }

    /**
     * What is open.
     *
     * @param open how many
     * @param oldest when the oldest of them was opened
     */
    public record Backlog(long open, Optional<Instant> oldest) {
        public Backlog {
            Check.given("oldest", oldest);
        }

        public static final Backlog NONE = new Backlog(0, Optional.empty());
    }
}
