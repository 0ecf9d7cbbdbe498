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
package org.apache.eventmesh.state.etcd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/**
 * The commits that have no fate yet: those that wait, in order, and those under way in the lanes. A commit goes out as
 * soon as a lane is free and nothing before it touches its keys; what has come together meanwhile shares a transaction.
 */
final class CommitLine {
    /** A long line of commits on few keys must not be walked from end to end for each transaction. */
    private static final int EXAMINED = 2_000;

    private final KeySpace keys;
    private final CommitShape shape;
    private final String backend;

    /** Guarded by this, as all below. */
    private final Deque<Pending> waiting = new ArrayDeque<>();

    private final Deque<Lane> free = new ArrayDeque<>();
    private final Map<Lane, Group> underWay = new LinkedHashMap<>();
    private final BusyKeys busy = new BusyKeys();
    private boolean closed;

    /** Set on a thread that is sending. */
    private final ThreadLocal<Boolean> pumping = new ThreadLocal<>();

    CommitLine(KeySpace keys, CommitShape shape, String backend) {
        this.keys = keys;
        this.shape = shape;
        this.backend = backend;
    }

    /** {@code false} when no more is taken. */
    synchronized boolean add(List<Pending> commits) {
        if (closed) {
            return false;
        }
        waiting.addAll(commits);
        return true;
    }

    /** A lane has nothing under way. */
    synchronized void isFree(Lane lane) {
        free.addFirst(lane);
    }

    /** Sends what can go out now. */
    void pump() {
        if (pumping.get() != null) {
            // called by what this thread has just sent, which failed or was answered at once: the loop below on its
            // stack
            // looks again. To begin another would take a piece of the stack for each commit that waits
            return;
        }
        pumping.set(true);
        try {
            for (Departure next = next(); next != null; next = next()) {
                next.lane().send(next.group());
            }
        } finally {
            pumping.remove();
        }
    }

    private record Departure(Lane lane, Group group) {}

    @SuppressWarnings("NullAway") // the caller looks for null
    private synchronized Departure next() {
        if (free.isEmpty() || waiting.isEmpty()) {
            return null;
        }
        List<Pending> taken = take();
        if (taken.isEmpty()) {
            return null;
        }
        Lane lane = free.removeFirst();
        Group group = new Group(keys, taken);
        underWay.put(lane, group);
        return new Departure(lane, group);
    }

    private List<Pending> take() {
        List<Pending> taken = new ArrayList<>();
        BusyKeys passed = new BusyKeys();
        Room room = new Room(shape);
        int examined = 0;
        Iterator<Pending> line = waiting.iterator();
        while (line.hasNext() && examined++ < EXAMINED) {
            Pending next = line.next();
            if (busy.touch(next.commit()) || passed.touch(next.commit())) {
                // those behind it that touch its keys stay behind it
                passed.add(next.commit());
                continue;
            }
            boolean fits = taken.isEmpty() || !next.isAlone();
            if (!fits || !room.take(next.commit(), next.bytes())) {
                break;
            }
            line.remove();
            busy.add(next.commit());
            taken.add(next);
            if (next.isAlone()) {
                break;
            }
        }
        return taken;
    }

    /** The commits of a lane have their fate; its keys are free. */
    synchronized void isOver(Lane lane) {
        Group group = underWay.remove(lane);
        if (group != null) {
            group.members().forEach(member -> busy.remove(member.commit()));
            notifyAll();
        }
    }

    /**
     * Some commits of a lane that was told over go back to where they came from.
     *
     * @return {@code false} when no more is sent
     */
    synchronized boolean comeBack(List<Pending> commits) {
        if (closed) {
            return false;
        }
        for (int i = commits.size() - 1; i >= 0; i--) {
            waiting.addFirst(commits.get(i));
        }
        return true;
    }

    /** Gives up those that have waited for too long: they were never sent, or certainly not applied. */
    void giveUpLate() {
        List<Pending> late = new ArrayList<>();
        synchronized (this) {
            Iterator<Pending> line = waiting.iterator();
            while (line.hasNext()) {
                Pending next = line.next();
                if (!next.inTime()) {
                    line.remove();
                    late.add(next);
                }
            }
        }
        for (Pending pending : late) {
            pending.fail(new StoreUnavailableException("write to " + backend
                    + ": it was not sent in time, since those before it have no answer yet; nothing was applied."
                    + " Look whether a majority of etcd's members runs and the network between is up, then try again"));
        }
    }

    /** Takes no more; what waits fails. */
    void close(StateStoreException why) {
        List<Pending> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
        }
        left.forEach(pending -> pending.fail(why));
    }

    /** Whether nothing is under way any more; waits for that a while. */
    synchronized boolean drained(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; !underWay.isEmpty() && left > 0; left = end - System.nanoTime()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return underWay.isEmpty();
    }

    /** What is under way now. */
    synchronized List<Group> underWay() {
        return List.copyOf(underWay.values());
    }
}
