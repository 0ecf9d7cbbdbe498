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
package org.apache.eventmesh.state.core.key;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

import static org.apache.eventmesh.state.core.key.Element.integer;
import static org.apache.eventmesh.state.core.key.Element.kind;
import static org.apache.eventmesh.state.core.key.Element.longNumber;
import static org.apache.eventmesh.state.core.key.Element.scope;
import static org.apache.eventmesh.state.core.key.Element.subscriber;
import static org.apache.eventmesh.state.core.key.Element.text;

/**
 * Every table of the data set. The number is the first byte of its keys and stands on disk: it is never changed and never
 * used again. Numbers from {@value #IN_FLIGHT} on are in-flight state, which an engine may keep apart.
 */
public enum Table {
    META(0x01, false, null, text("name")),
    COUNTER(0x02, false, null, integer("slot")),
    /** Removed when the scope is released. */
    HOLDER(0x03, false, null, scope("scope")),
    MEMBER(0x04, true, null, text("process")),
    /** What a member holds; no value. */
    HELD_BY(0x05, false, null, text("instance"), text("process"), scope("scope")),

    SHARD(0x10, false, StoreName.DELIVERIES, text("topic"), integer("partition")),
    PROGRESS(0x11, false, StoreName.OFFSETS, text("topic"), integer("partition"), subscriber("subscriber")),
    /** In a set of two backends: on both sides. */
    SHARD_HOME(0x13, false, StoreName.DELIVERIES, text("topic"), integer("partition")),
    /** In a set of two backends: what the shared one knows of a local {@link #PROGRESS}. */
    PUBLISHED(0x14, false, StoreName.OFFSETS, text("topic"), integer("partition"), subscriber("subscriber")),
    PUBLISHED_BY_SUBSCRIBER(
            0x15, false, StoreName.OFFSETS, subscriber("subscriber"), text("topic"), integer("partition")),
    PROGRESS_BY_SUBSCRIBER(
            0x12, false, StoreName.OFFSETS, subscriber("subscriber"), text("topic"), integer("partition")),

    SUBSCRIPTION(0x20, true, StoreName.SUBSCRIPTIONS, text("topic"), text("client")),
    SUBSCRIPTION_BY_CLIENT(0x21, true, StoreName.SUBSCRIPTIONS, text("client"), text("topic")),
    SUBSCRIPTION_BY_INSTANCE(0x22, true, StoreName.SUBSCRIPTIONS, text("instance"), text("client"), text("topic")),

    AGENT(0x30, false, StoreName.SESSIONS, text("agent")),
    /** An agent without one is dead. */
    AGENT_LEASE(0x31, true, StoreName.SESSIONS, text("agent")),
    BINDING(0x32, false, StoreName.SESSIONS, text("session")),
    BINDING_BY_AGENT(0x33, false, StoreName.SESSIONS, text("agent"), longNumber("epoch"), text("session")),
    SESSION(0x34, false, StoreName.SESSIONS, text("session")),
    SESSION_BY_EXPIRY(0x35, false, StoreName.SESSIONS, longNumber("expires at"), text("session")),

    DEAD_LETTER(
            0x40,
            false,
            StoreName.DEAD_LETTERS,
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber")),
    DEAD_LETTER_BY_TIME(
            0x41,
            false,
            StoreName.DEAD_LETTERS,
            longNumber("dead at"),
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber")),
    DEAD_LETTER_BY_TOPIC(
            0x42,
            false,
            StoreName.DEAD_LETTERS,
            text("topic"),
            longNumber("dead at"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber")),
    DEAD_LETTER_BY_SUBSCRIBER(
            0x43,
            false,
            StoreName.DEAD_LETTERS,
            subscriber("subscriber"),
            longNumber("dead at"),
            text("topic"),
            integer("partition"),
            longNumber("offset")),
    /** A queued request, then its result. */
    REPLAY(
            0x44,
            false,
            StoreName.DEAD_LETTERS,
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber"),
            text("request key")),
    /** Requests that wait for the owner of their partition; no value. */
    REPLAY_QUEUED(
            0x45,
            false,
            StoreName.DEAD_LETTERS,
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber"),
            text("request key")),
    /** Results that are kept for repeats, in the order in which they go; no value. */
    REPLAY_BY_TIME(
            0x46,
            false,
            StoreName.DEAD_LETTERS,
            longNumber("done at"),
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber"),
            text("request key")),
    /** In a set of two backends: letters whose new delivery is not settled; no value. */
    REPLAYING(
            0x47,
            false,
            StoreName.DEAD_LETTERS,
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber")),

    TASK(0x50, false, StoreName.TASKS, text("task")),
    TASK_BY_AGENT(0x51, false, StoreName.TASKS, text("agent"), text("task")),
    TASK_BY_CONTEXT(0x52, false, StoreName.TASKS, text("context"), text("task")),
    TASK_BY_PARENT(0x53, false, StoreName.TASKS, text("parent"), text("task")),
    TASK_BY_STATE(0x54, false, StoreName.TASKS, kind("state"), text("task")),
    /** Unfinished tasks and final ones apart: what is stalled and what may go are then each found without the other. */
    TASK_BY_CHANGE(0x55, false, StoreName.TASKS, kind("final"), longNumber("changed at"), text("task")),
    TASK_BY_AGENT_AND_STATE(0x56, false, StoreName.TASKS, text("agent"), kind("state"), text("task")),
    TASK_BY_CONTEXT_AND_STATE(0x57, false, StoreName.TASKS, text("context"), kind("state"), text("task")),
    TASK_BY_PARENT_AND_STATE(0x58, false, StoreName.TASKS, text("parent"), kind("state"), text("task")),
    /** In a set of two backends: tasks whose delivery is not settled; no value. */
    TASK_CARRIED(0x59, false, StoreName.TASKS, text("topic"), integer("partition"), text("task")),

    /** The key holds all that never changes, so that a delivery whose value is damaged still counts as open. */
    DELIVERY(
            0x80,
            false,
            StoreName.DELIVERIES,
            text("topic"),
            integer("partition"),
            longNumber("number"),
            kind("kind"),
            longNumber("offset"),
            longNumber("message"),
            subscriber("subscriber")),
    MESSAGE(0x81, false, StoreName.DELIVERIES, text("topic"), integer("partition"), longNumber("message")),
    FAN_OUT(0x82, false, StoreName.DELIVERIES, text("topic"), integer("partition"), longNumber("offset")),
    MARK(0x83, false, StoreName.DELIVERIES, text("topic"), integer("partition"), longNumber("number")),
    /** For unordered sources only, where no cursor tells that a message came before. */
    MARK_BY_MESSAGE(
            0x84,
            false,
            StoreName.DELIVERIES,
            text("topic"),
            integer("partition"),
            longNumber("offset"),
            subscriber("subscriber")),
    /** In a set of two backends: settled here, and the shared one does not know it yet. */
    OUTSTANDING(0x85, false, StoreName.DELIVERIES, text("topic"), integer("partition"), longNumber("number")),
    /** In a set of two backends: became a dead letter under another host, whose positions may be behind it; no value. */
    DEAD_BEFORE(
            0x86,
            false,
            StoreName.DELIVERIES,
            text("topic"),
            integer("partition"),
            subscriber("subscriber"),
            longNumber("offset"));

    /** The first number of in-flight tables. */
    public static final int IN_FLIGHT = 0x80;

    private static final @Nullable Table[] BY_NUMBER = new @Nullable Table[256];

    static {
        for (Table table : values()) {
            BY_NUMBER[table.number] = table;
        }
    }

    private final int number;
    private final boolean leased;
    private final @Nullable StoreName store;

    @SuppressWarnings("ImmutableEnumChecker") // List.of never changes
    private final List<Element> elements;

    Table(int number, boolean leased, @Nullable StoreName store, Element... elements) {
        this.number = number;
        this.leased = leased;
        this.store = store;
        this.elements = List.of(elements);
    }

    /** The first byte of the table's keys, unsigned. */
    public int number() {
        return number;
    }

    /** Whether its records vanish with a lease. */
    public boolean leased() {
        return leased;
    }

    /** Whether it comes and goes with deliveries. */
    public boolean inFlight() {
        return number >= IN_FLIGHT;
    }

    /** The store that it belongs to; empty for what serves all of them. */
    public Optional<StoreName> store() {
        return Optional.ofNullable(store);
    }

    /** What its keys are made of. */
    public List<Element> elements() {
        return elements;
    }

    /** The number of the table to which a key belongs. */
    public static int numberOf(Bytes key) {
        return key.buffer().get(0) & 0xFF;
    }

    /** The table of that number; empty when there is none. */
    static Optional<Table> of(int number) {
        return Optional.ofNullable(BY_NUMBER[number]);
    }
}
