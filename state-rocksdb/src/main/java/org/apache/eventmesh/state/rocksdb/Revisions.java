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

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Hands out revisions, each greater than all before it, to one writer at a time: everything here needs the turn. */
final class Revisions {
    /** How many revisions one synced record allows; at most so many are skipped by an opening. */
    static final long RESERVATION = 1 << 20;

    private final ReentrantLock turn = new ReentrantLock();
    private long last;
    private long reserved;
    private long committed;

    Revisions(OpenDatabase opened) {
        startFrom(opened.reserved(), opened.lastCommitted());
    }

    boolean takeTurn(Duration atMost) {
        try {
            return turn.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** However long the write under way takes. */
    void takeTurn() {
        turn.lock();
    }

    void endTurn() {
        turn.unlock();
    }

    void startFrom(long highestReserved, long lastCommitted) {
        last = highestReserved;
        reserved = highestReserved;
        committed = lastCommitted;
    }

    long next() {
        return last + 1;
    }

    /** Whether the batch of the next revision must raise the reservation, and be synced before it is answered. */
    boolean mustReserve() {
        return next() > reserved;
    }

    /** What the reservation becomes. */
    long raised() {
        return next() + RESERVATION;
    }

    /** The batch of the next revision was written, with the raised reservation if that was due. */
    void written() {
        if (mustReserve()) {
            reserved = raised();
        }
        last = next();
        committed = last;
    }

    /** The last batch that was answered for, or found at the opening. */
    long committed() {
        return committed;
    }
}
