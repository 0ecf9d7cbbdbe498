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
package org.apache.eventmesh.state.core.interleaving;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One way in which the threads of a scenario take turns: at any time one of them goes on. */
final class Interleaving {
    /** More than any scenario needs. */
    private static final int ENDLESS = 50_000;

    private final List<Player> players;
    private final Choices choices;
    private final int mostPreemptions;
    private final IdentityHashMap<Object, Player.Held> locks = new IdentityHashMap<>();
    private final List<String> switches = new ArrayList<>();
    private final Semaphore over = new Semaphore(0);
    private int preemptions;
    private int steps;
    private boolean looking;
    private boolean cut;
    private volatile @Nullable Throwable failure;

    /** @param mostPreemptions how often a thread that could go on is made to wait */
    Interleaving(List<Player> players, Choices choices, int mostPreemptions) {
        this.players = players;
        this.choices = choices;
        this.mostPreemptions = mostPreemptions;
    }

    /** Plays it; throws what a thread threw, or that they wait for one another. */
    void play(List<Runnable> parts) throws Throwable {
        for (int n = 0; n < parts.size(); n++) {
            players.get(n).take(this, parts.get(n));
        }
        Player first = choose(null);
        if (first == null) {
            throw new IllegalStateException("a scenario has threads");
        }
        first.goOn();
        over.acquireUninterruptibly();
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Whether another way was not taken because of too many preemptions. */
    boolean cut() {
        return cut;
    }

    /** Who waited where, for whom. */
    List<String> switches() {
        return switches;
    }

    void point(Player me, String place) {
        if (looking) {
            return;
        }
        me.place = place;
        if (++steps > ENDLESS) {
            end(new AssertionError("the threads go on for ever"));
            stay(me);
        }
        turn(me);
    }

    void enter(Player me, Object lock, String place) {
        if (looking) {
            return;
        }
        point(me, place);
        Player.Held held = locks.computeIfAbsent(lock, l -> new Player.Held());
        while (held.by != null && held.by != me) {
            me.wants = held;
            turn(me);
        }
        me.wants = null;
        held.by = me;
        held.depth++;
    }

    void exit(Player me, Object lock) {
        if (looking) {
            return;
        }
        Player.Held held = locks.get(lock);
        if (held == null || held.by != me) {
            throw new IllegalMonitorStateException("given back by who does not have it");
        }
        if (--held.depth == 0) {
            held.by = null;
        }
    }

    void await(Player me, BooleanSupplier condition) {
        me.place = "a wait of the scenario";
        while (!holds(condition)) {
            me.until = condition;
            turn(me);
        }
        me.until = null;
    }

    void ended(Player me) {
        me.done = true;
        Player next = choose(null);
        if (next != null) {
            next.goOn();
        } else if (players.stream().allMatch(player -> player.done)) {
            over.release();
        } else {
            end(deadlock());
        }
    }

    void failed(Player me, Throwable thrown) {
        me.done = true;
        end(thrown);
    }

    private void turn(Player me) {
        Player next = choose(me);
        if (next == me) {
            return;
        }
        if (next == null) {
            end(deadlock());
        } else {
            switches.add(me.getName() + " waits at " + me.place + ", " + next.getName() + " goes on at " + next.place);
            next.goOn();
        }
        stay(me);
    }

    /** After a failure nobody is told to go on any more: what they would do then says nothing. */
    private static void stay(Player me) {
        me.pause();
    }

    private void end(Throwable why) {
        failure = why;
        over.release();
    }

    private @Nullable Player choose(@Nullable Player me) {
        boolean stays = me != null && able(me);
        List<Player> able = new ArrayList<>(players.size());
        if (stays) {
            able.add(me);
        }
        for (Player player : players) {
            if (player != me && able(player)) {
                able.add(player);
            }
        }
        if (able.isEmpty()) {
            return null;
        }
        boolean free = !stays || preemptions < mostPreemptions;
        cut |= !free && able.size() > 1;
        Player next = free && able.size() > 1 ? able.get(choices.next(able.size())) : able.get(0);
        if (stays && next != me) {
            preemptions++;
        }
        return next;
    }

    private boolean able(Player player) {
        if (player.done) {
            return false;
        }
        Player.Held wanted = player.wants;
        if (wanted != null && wanted.by != null) {
            return false;
        }
        BooleanSupplier until = player.until;
        return until == null || holds(until);
    }

    private boolean holds(BooleanSupplier condition) {
        looking = true;
        try {
            return condition.getAsBoolean();
        } finally {
            looking = false;
        }
    }

    private AssertionError deadlock() {
        List<String> waiting = players.stream()
                .filter(player -> !player.done)
                .map(player -> player.getName() + " at " + player.place)
                .toList();
        return new AssertionError("these wait for one another, or for what never comes: " + waiting);
    }
}
