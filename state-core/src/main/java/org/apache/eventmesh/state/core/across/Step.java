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
package org.apache.eventmesh.state.core.across;

/**
 * One commit, or a few of one kind, on one side of a {@link Transition}. Each is idempotent.
 */
public enum Step {
    HOLDER(
            Side.SHARED,
            "the epoch counter, the holder record, and which host the shard is at home on",
            "claim again: the same member gets the same token"),
    FENCE(
            Side.LOCAL,
            "the fence record, on which every local write conditions",
            "the next claim writes it; until then no local write under the token is accepted"),
    ARRIVAL(
            Side.LOCAL,
            "unless this host was the last owner: its stale state of the shard goes, the published positions take its"
                    + " place",
            "the next claim begins the discarding again"),

    ENTRY(
            Side.SHARED,
            "the subscriber's published progress, at where it enters",
            "the subscriber is not served here; the next open enters it, a claim forgets it"),
    ENTERED(Side.LOCAL, "its progress, with the first deliveries", "open again"),

    LOWERED(
            Side.SHARED,
            "the published position, where the reset goes back",
            "the position here is published again; a successor elsewhere would deliver again"),
    RESET(Side.LOCAL, "the cursor", "the position is published again"),

    MOVED(Side.LOCAL, "the position, by the commit that settles", "it is published later"),
    PUBLISHED(
            Side.SHARED,
            "the position: raised only, and only as far as it is synced here",
            "published again in the background, at release and close"),

    INTENT(
            Side.LOCAL,
            "the intent at the delivery, under a new hand-out epoch: it is handed out no more, and acks of what was handed"
                    + " out before are stale",
            "the delivery is open; whoever loads the shard here goes on from the intent"),
    LETTER(
            Side.SHARED,
            "the dead letter, and its task FAILED",
            "whoever loads the shard here retires the delivery; elsewhere the message opens as already settled"),
    RETIRED(
            Side.LOCAL,
            "the delivery is retired, with position and fan-out",
            "it is dead-lettered; a repeat gets the first answer"),

    NUMBER(Side.LOCAL, "a number for the delivery to come", "the number is used by nobody"),
    TASK(
            Side.SHARED,
            "the task and its ownership, marked with the shard until its delivery is settled",
            "whoever claims the shard opens its delivery; so does creating it again"),
    CARRIER(Side.LOCAL, "the delivery that carries the task", "the task is created; a repeat finds it"),

    SETTLED(
            Side.LOCAL,
            "the delivery is settled, and what follows from it is outstanding",
            "whoever loads the shard here goes on; a successor elsewhere delivers again"),
    FOLLOWED(
            Side.SHARED,
            "the task moves and loses its mark; the letter that was replayed goes",
            "whoever loads the shard here finds that it has followed already"),
    FORGOTTEN(Side.LOCAL, "nothing is outstanding any more", "it is settled"),

    REPLAYING(
            Side.SHARED,
            "the letter is marked with its replay, and counts as gone; the result of the request",
            "whoever claims the shard opens the new delivery; a repeat of the request gets the result"),
    REDELIVERED(Side.LOCAL, "the new delivery", "it is replayed; the letter stays until it is settled"),

    WITHDRAWN(
            Side.LOCAL,
            "the subscriber's entry ends and its deliveries are settled",
            "withdraw again; a successor elsewhere would serve it until then"),
    UNPUBLISHED(Side.SHARED, "its published progress goes", "withdrawn"),

    FLUSHED(Side.SHARED, "the positions are published", "release again, or claim again"),
    RELEASED(Side.SHARED, "the holder record goes", "released"),
    UNFENCED(Side.LOCAL, "the fence record goes", "released; the next claim writes its own");

    private final Side side;
    private final String does;
    private final String interrupted;

    Step(Side side, String does, String interrupted) {
        this.side = side;
        this.does = does;
        this.interrupted = interrupted;
    }

    public Side side() {
        return side;
    }

    /** What it writes. */
    public String does() {
        return does;
    }

    /** What holds, and who goes on, when everything stops behind this step. */
    public String interrupted() {
        return interrupted;
    }
}
