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
package org.apache.eventmesh.state.core.local;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.eventmesh.state.engine.Change;

/**
 * Brings commits, whose answers come in any order, into the order of their revisions.
 *
 * <p>A revision that was answered may be published once every commit that was under way at that moment is decided: any
 * of those may still turn out to have a smaller revision, while whatever is handed over later gets a greater one. So
 * nothing waits for a commit that came after it, and however busy the engine is, each revision is published.
 */
final class CommitOrder {
    /** Published as soon as every commit with a number below {@code barrier} is decided. */
    private record Answered(long revision, long barrier) {}

    /** Behind a commit that is not decided for long, answers are kept together: coarser, but bounded. */
    private static final int MAX_ANSWERED = 4096;

    private final History history;
    private final HistoryBounds bounds;
    private final Set<Long> underWay = new LinkedHashSet<>();
    private final Deque<Answered> answered = new ArrayDeque<>();
    private final NavigableMap<Long, List<Change>> waiting = new TreeMap<>();
    private int waitingChanges;
    private long waitingBytes;
    private long nextNumber;
    private long highest;

    CommitOrder(History history, HistoryBounds bounds) {
        this.history = history;
        this.bounds = bounds;
    }

    /** Called before the commit is given to the engine; the number stands for the commit from then on. */
    synchronized long handOver() {
        underWay.add(nextNumber);
        return nextNumber++;
    }

    /**
     * Whether this brought a watch anything, as for the two below.
     *
     * @param changes those that a watch may want
     */
    synchronized boolean applied(long number, long revision, List<Change> changes) {
        seen(revision);
        if (!changes.isEmpty()) {
            waiting.computeIfAbsent(revision, r -> new ArrayList<>()).addAll(changes);
            waitingChanges += changes.size();
            waitingBytes += History.size(changes);
        }
        Answered last = answered.peekLast();
        if (last != null && answered.size() >= MAX_ANSWERED) {
            answered.removeLast();
            answered.add(new Answered(Math.max(last.revision(), revision), nextNumber));
        } else {
            answered.add(new Answered(revision, nextNumber));
        }
        boolean published = decided(number);
        if (bounds.exceededBy(waitingChanges, waitingBytes)) {
            lose();
            return true;
        }
        return published;
    }

    synchronized boolean notApplied(long number) {
        return decided(number);
    }

    /** Nobody will say what became of it, so nobody can say any more what follows what. */
    synchronized boolean unknown(long number) {
        boolean unused = decided(number);
        lose();
        return true;
    }

    /** A revision that the engine told somebody. */
    synchronized void seen(long revision) {
        highest = Math.max(highest, revision);
    }

    synchronized long highestSeen() {
        return highest;
    }

    /** After the history was lost: a scan saw everything up to this revision, so what comes is whole again. */
    synchronized void resumeAt(long revision) {
        seen(revision);
        history.beginAt(highest);
    }

    private boolean decided(long number) {
        underWay.remove(number);
        long undecidedFrom =
                underWay.isEmpty() ? nextNumber : underWay.iterator().next();
        long safe = 0;
        while (!answered.isEmpty() && answered.element().barrier() <= undecidedFrom) {
            safe = Math.max(safe, answered.remove().revision());
        }
        return safe > 0 && publish(safe);
    }

    private boolean publish(long upTo) {
        boolean published = !waiting.isEmpty() && waiting.firstKey() <= upTo;
        while (!waiting.isEmpty() && waiting.firstKey() <= upTo) {
            long revision = waiting.firstKey();
            List<Change> changes = waiting.remove(revision);
            if (changes != null) {
                waitingChanges -= changes.size();
                waitingBytes -= History.size(changes);
                history.append(revision, changes);
            }
        }
        history.reached(upTo);
        return published;
    }

    private void lose() {
        waiting.clear();
        answered.clear();
        waitingChanges = 0;
        waitingBytes = 0;
        history.forget();
    }
}
