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

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CallbacksTest {
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void listenerFailed(StoreName store, Throwable failure) {
            heard.add(store + " " + failure.getMessage());
        }
    };

    @Test
    void stages_and_listeners_have_executors_of_their_own() {
        Callbacks callbacks = new Callbacks(
                task -> {
                    heard.add("stages");
                    task.run();
                },
                task -> {
                    heard.add("listeners");
                    task.run();
                },
                listener);
        callbacks.run(() -> heard.add("a stage"));
        callbacks.listen(() -> heard.add("a listener"));
        callbacks.listenerFailed(StoreName.TASKS, new IllegalStateException("on purpose"));
        assertThat(heard)
                .containsExactly("stages", "a stage", "listeners", "a listener", "listeners", "TASKS on purpose");
    }

    @Test
    void required_G02_an_executor_that_refuses_keeps_no_listener_from_being_called() {
        Callbacks callbacks = new Callbacks(
                Runnable::run,
                task -> {
                    throw new RejectedExecutionException("full");
                },
                listener);
        callbacks.listen(() -> heard.add("a listener"));
        callbacks.tell(to -> to.listenerFailed(StoreName.TASKS, new IllegalStateException("an event")));
        await().until(() -> heard.containsAll(List.of("a listener", "TASKS an event")));
    }
}
