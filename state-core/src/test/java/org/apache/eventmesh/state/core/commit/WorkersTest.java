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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WorkersTest {
    private static final List<Error> ERRORS = List.of(
            new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose"), new AssertionError("bug"));

    private final ConcurrentLinkedQueue<Throwable> unheard = new ConcurrentLinkedQueue<>();
    private final Workers workers = new Workers(1, false);

    @AfterEach
    void close() {
        workers.close();
    }

    @Test
    void required_G02_a_task_that_throws_an_error_ends_no_later_one() {
        CountDownLatch later = new CountDownLatch(ERRORS.size());
        ERRORS.forEach(error -> {
            workers.execute(() -> {
                // what the thread dies of is told here, and not on the console
                Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> unheard.add(failure));
                throw error;
            });
            workers.execute(later::countDown);
        });

        await().until(() -> later.getCount() == 0);
        await().untilAsserted(() -> assertThat(unheard).containsExactlyInAnyOrderElementsOf(ERRORS));
    }

    @Test
    void required_G02_what_follows_a_stage_hears_of_an_error_as_of_a_value() {
        ConcurrentLinkedQueue<Object> heard = new ConcurrentLinkedQueue<>();
        CompletableFuture<String> open = new CompletableFuture<>();
        workers.then(open, (value, failure) -> heard.add(failure == null ? value : failure));
        workers.then(CompletableFuture.<String>failedFuture(ERRORS.get(0)), (value, failure) -> heard.add(failure));
        workers.then(CompletableFuture.completedFuture("done"), (value, failure) -> heard.add(value));
        assertThat(heard).containsExactly(ERRORS.get(0), "done");

        open.completeExceptionally(ERRORS.get(1));

        await().untilAsserted(() -> assertThat(heard).containsExactly(ERRORS.get(0), "done", ERRORS.get(1)));
    }

    @Test
    void required_G10_after_closing_nothing_runs_and_nobody_is_refused() {
        ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
        CountDownLatch busy = new CountDownLatch(1);
        workers.execute(() -> {
            try {
                busy.await();
                ran.add("before");
            } catch (InterruptedException e) {
                ran.add("interrupted");
            }
        });
        workers.close();
        workers.execute(() -> ran.add("after"));
        busy.countDown();

        await().untilAsserted(() -> assertThat(ran).containsExactly("before"));
    }

    @Test
    void where_nobody_is_made_to_wait_all_is_done_on_the_thread_at_hand() {
        Workers anywhere = new Workers(1, true);
        ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
        CompletableFuture<String> open = new CompletableFuture<>();

        anywhere.begin(() -> threads.add(Thread.currentThread()));
        anywhere.then(open, (value, failure) -> threads.add(Thread.currentThread()));
        open.complete("done");

        assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
        anywhere.close();
    }

    @Test
    void required_G02_what_is_begun_for_a_caller_throws_nothing_at_him() {
        Workers anywhere = new Workers(1, true);

        ERRORS.forEach(error -> anywhere.begin(() -> {
            throw error;
        }));

        anywhere.close();
    }
}
