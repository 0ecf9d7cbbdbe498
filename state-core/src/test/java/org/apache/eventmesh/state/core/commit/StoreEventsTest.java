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
package org.apache.eventmesh.state.core.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoreEventsTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void unknown(StoreName store, String operation) {
            heard.add(operation);
        }
    };
    private final StoreEvents events = new StoreEvents(listener, tasks::add);

    @Test
    void one_task_at_a_time_tells_all_in_order() {
        add("a");
        add("b");
        assertThat(tasks).hasSize(1);
        runOne();
        assertThat(heard).containsExactly("a", "b");
        assertThat(tasks).isEmpty();
        add("c");
        assertThat(tasks).hasSize(1);
        runOne();
        assertThat(heard).containsExactly("a", "b", "c");
    }

    @Test
    void after_many_the_thread_is_given_back() {
        addMany(300);
        runOne();
        assertThat(heard).hasSize(256);
        assertThat(tasks).hasSize(1);
        runOne();
        assertThat(heard).isEqualTo(names(300));
        assertThat(tasks).isEmpty();
    }

    @Test
    void what_a_slow_listener_leaves_waiting_is_bounded() {
        addMany(StoreEvents.MAX_WAITING + 5);
        runAll();
        assertThat(heard).isEqualTo(names(StoreEvents.MAX_WAITING));
        add("later");
        runAll();
        assertThat(heard).hasSize(StoreEvents.MAX_WAITING + 1).last().isEqualTo("later");
    }

    @Test
    void a_listener_that_throws_loses_that_event_alone() {
        addThrowing(new IllegalStateException("on purpose"));
        addThrowing(new AssertionError("on purpose"));
        add("a");
        runAll();
        assertThat(heard).containsExactly("a");
    }

    @Test
    void where_nobody_listens_nothing_is_done() {
        StoreEvents unheard = new StoreEvents(StoreListener.NONE, tasks::add);
        unheard.add(to -> to.unknown(StoreName.TASKS, "a"));
        assertThat(tasks).isEmpty();
    }

    private void add(String name) {
        events.add(to -> to.unknown(StoreName.TASKS, name));
    }

    private void addMany(int count) {
        names(count).forEach(this::add);
    }

    private void addThrowing(Throwable failure) {
        Consumer<StoreListener> event = to -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
        events.add(event);
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private void runOne() {
        tasks.remove().run();
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            runOne();
        }
    }
}
