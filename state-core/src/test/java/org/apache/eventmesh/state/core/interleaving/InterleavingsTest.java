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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Known faults of concurrent code are found, and what is right is not called a fault. */
class InterleavingsTest {
    /** Two threads count, and look at what they count with, one step after the other. */
    static class Lost implements Scenario {
        int count;

        void add() {
            count++;
        }

        @Override
        public List<Runnable> threads() {
            return List.of(this::add, this::add);
        }

        @Override
        public void check() {
            assertThat(count).isEqualTo(2);
        }
    }

    static final class Synchronized extends Lost {
        @Override
        synchronized void add() {
            super.add();
        }
    }

    static final class Locked extends Lost {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        void add() {
            lock.lock();
            try {
                super.add();
            } finally {
                lock.unlock();
            }
        }
    }

    static final class InBlock extends Lost {
        @Override
        void add() {
            synchronized (this) {
                super.add();
            }
        }
    }

    @Test
    void a_lost_update_is_found() {
        assertThatThrownBy(() -> Interleavings.of(Lost.class, "InterleavingsTest"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("player 1 waits at InterleavingsTest$Lost.add")
                .hasMessageContaining("player 2 goes on");
    }

    @Test
    void locks_of_all_kinds_keep_updates_apart() {
        for (Class<? extends Lost> right : List.of(Synchronized.class, Locked.class, InBlock.class)) {
            Interleavings tried = Interleavings.of(right, "InterleavingsTest");

            assertThat(tried.preemptions()).isEqualTo(Interleavings.ALL);
            assertThat(tried.tried()).isGreaterThan(5);
        }
    }

    /** Two locks, each taken while the other is held. */
    static final class Crossed implements Scenario {
        private final Object one = new Object();
        private final Object other = new Object();

        private static void both(Object first, Object second) {
            synchronized (first) {
                synchronized (second) {
                    assertThat(first).isNotSameAs(second);
                }
            }
        }

        @Override
        public List<Runnable> threads() {
            return List.of(() -> both(one, other), () -> both(other, one));
        }

        @Override
        public void check() {}
    }

    @Test
    void a_deadlock_is_found() {
        assertThatThrownBy(() -> Interleavings.of(Crossed.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("wait for one another");
    }

    /** A queue whose worker gives up when it finds nothing, and is woken by whoever adds. */
    abstract static class Queue implements Scenario {
        final Deque<Runnable> waiting = new ArrayDeque<>();
        final AtomicBoolean running = new AtomicBoolean();
        final Workers workers = new Workers();
        int ran;

        void add() {
            synchronized (waiting) {
                waiting.add(() -> ran++);
            }
            wake();
        }

        void wake() {
            if (running.compareAndSet(false, true)) {
                workers.execute(this::run);
            }
        }

        private @Nullable Runnable next() {
            synchronized (waiting) {
                return waiting.poll();
            }
        }

        void run() {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
            running.set(false);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(workers.giver(this::add), workers.giver(this::add), workers::work);
        }

        @Override
        public void check() {
            assertThat(ran).isEqualTo(2);
        }
    }

    static final class WithoutLook extends Queue {}

    static final class WithLook extends Queue {
        @Override
        void run() {
            super.run();
            boolean more;
            synchronized (waiting) {
                more = !waiting.isEmpty();
            }
            if (more) {
                wake();
            }
        }
    }

    @Test
    void a_lost_wake_up_is_found() {
        assertThatThrownBy(() -> Interleavings.of(WithoutLook.class, "InterleavingsTest"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("player 3 waits at");
        assertThat(Interleavings.of(WithLook.class, "InterleavingsTest").preemptions())
                .isGreaterThanOrEqualTo(1);
    }

    /** Looks, and then acts on what may not be so any more; only a step of the other between the two shows it. */
    static final class Overdrawn implements Scenario {
        private int left = 10;

        private void take() {
            if (left >= 7) {
                left -= 7;
            }
        }

        @Override
        public List<Runnable> threads() {
            return List.of(this::take, this::take);
        }

        @Override
        public void check() {
            assertThat(left).isNotNegative();
        }
    }

    @Test
    void an_act_on_what_is_not_so_any_more_is_found() {
        assertThatThrownBy(() -> Interleavings.of(Overdrawn.class, "InterleavingsTest"))
                .isInstanceOf(AssertionError.class);
    }

    /** Shows only when a thread is made to wait twice. */
    static final class Twice implements Scenario {
        private int turn;
        private boolean seenOne;
        private boolean seenThree;

        private void watch() {
            seenOne = turn == 1;
            seenThree = turn == 3;
        }

        private void move() {
            turn = 1;
            turn = 2;
            turn = 3;
        }

        @Override
        public List<Runnable> threads() {
            return List.of(this::move, this::watch);
        }

        @Override
        public void check() {
            assertThat(seenOne && seenThree).isFalse();
        }
    }

    @Test
    void what_shows_with_two_preemptions_is_found() {
        assertThatThrownBy(() -> Interleavings.withoutLocks(Twice.class, "InterleavingsTest"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("player 2 waits at InterleavingsTest$Twice.watch");
    }
}
