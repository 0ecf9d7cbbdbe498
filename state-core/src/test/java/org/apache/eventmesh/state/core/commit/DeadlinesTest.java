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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class DeadlinesTest {
    // near the end of its range: a monotonic clock may begin anywhere
    private final AtomicLong ticker = new AtomicLong(-5);
    private final Deadlines deadlines = new Deadlines(ticker::get, Duration.ofSeconds(10));

    @AfterEach
    void close() {
        deadlines.close();
    }

    @Test
    void a_task_runs_once_when_the_ticker_says_so_and_not_before() throws InterruptedException {
        ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
        deadlines.after(Duration.ofSeconds(2), () -> ran.add("two"));
        deadlines.after(Duration.ofSeconds(1), () -> ran.add("one"));
        CountDownLatch looked = new CountDownLatch(1);
        ticker.addAndGet(Duration.ofMillis(900).toNanos());
        deadlines.after(Duration.ZERO, looked::countDown);
        ticker.addAndGet(Duration.ofMillis(50).toNanos());
        assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isEmpty();
        ticker.addAndGet(Duration.ofMillis(100).toNanos());
        await().until(() -> ran.size() == 1);
        ticker.addAndGet(Duration.ofHours(1).toNanos());
        await().until(() -> List.copyOf(ran).equals(List.of("one", "two")));
    }

    @Test
    void a_task_for_a_time_runs_then_however_late_it_was_handed_in() {
        AtomicInteger ran = new AtomicInteger();
        long time = deadlines.now() + Duration.ofSeconds(2).toNanos();
        ticker.addAndGet(Duration.ofMillis(1_500).toNanos());
        deadlines.at(time, ran::incrementAndGet);
        ticker.addAndGet(Duration.ofMillis(600).toNanos());
        await().until(() -> ran.get() == 1);
        deadlines.at(time, ran::incrementAndGet);
        await().until(() -> ran.get() == 2);
    }

    @Test
    void what_is_cancelled_does_not_run() {
        AtomicInteger ran = new AtomicInteger();
        List<Deadlines.Scheduled> all = new ArrayList<>();
        IntStream.range(0, 1_000).forEach(i -> all.add(deadlines.after(Duration.ofMillis(i), ran::incrementAndGet)));
        IntStream.range(0, 500).forEach(i -> all.get(2 * i).cancel());
        ticker.addAndGet(Duration.ofSeconds(2).toNanos());
        await().until(() -> ran.get() == 500);
        CountDownLatch after = new CountDownLatch(1);
        deadlines.after(Duration.ZERO, after::countDown);
        ticker.addAndGet(Duration.ofSeconds(1).toNanos());
        await().until(() -> after.getCount() == 0);
        assertThat(ran).hasValue(500);
        all.forEach(Deadlines.Scheduled::cancel);
    }

    @Test
    void a_task_that_throws_harms_no_other() {
        AtomicInteger ran = new AtomicInteger();
        deadlines.after(Duration.ofSeconds(1), () -> {
            throw new IllegalStateException("on purpose");
        });
        deadlines.after(Duration.ofSeconds(1), ran::incrementAndGet);
        deadlines.after(Duration.ofSeconds(2), ran::incrementAndGet);
        ticker.addAndGet(Duration.ofSeconds(3).toNanos());
        await().until(() -> ran.get() == 2);
    }

    @Test
    void required_G02_an_error_of_a_task_or_of_the_ticker_ends_nothing() {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        AtomicLong time = new AtomicLong();
        AtomicReference<Error> thrown = new AtomicReference<>();
        LongSupplier broken = () -> {
            Error now = thrown.get();
            if (now != null && "state-deadlines".equals(Thread.currentThread().getName())) {
                errors.incrementAndGet();
                throw now;
            }
            return time.get();
        };
        try (Deadlines some = new Deadlines(broken, Duration.ofSeconds(10))) {
            some.after(Duration.ofSeconds(1), () -> {
                throw new OutOfMemoryError("on purpose");
            });
            some.after(Duration.ofSeconds(1), ran::incrementAndGet);
            some.after(Duration.ofSeconds(2), ran::incrementAndGet);
            time.addAndGet(Duration.ofMillis(1_500).toNanos());
            await().until(() -> ran.get() == 1);
            thrown.set(new OutOfMemoryError("on purpose"));
            await().until(() -> errors.get() > 1);
            thrown.set(null);
            time.addAndGet(Duration.ofSeconds(1).toNanos());
            await().until(() -> ran.get() == 2);
        }
    }

    @Test
    void what_follows_itself_goes_on_although_the_ticker_throws_when_it_is_handed_in() {
        AtomicBoolean broken = new AtomicBoolean();
        AtomicLong time = new AtomicLong();
        AtomicInteger ran = new AtomicInteger();
        LongSupplier ticker = () -> {
            if (broken.get()) {
                throw new IllegalStateException("on purpose");
            }
            return time.get();
        };
        try (Deadlines some = new Deadlines(ticker, Duration.ofSeconds(10))) {
            broken.set(true);
            some.after(Duration.ofSeconds(1), ran::incrementAndGet);
            broken.set(false);
            time.addAndGet(Duration.ofSeconds(2).toNanos());
            await().until(() -> ran.get() == 1);
        }
    }

    @Test
    void none_is_missed_when_many_threads_schedule_while_time_passes() {
        AtomicInteger ran = new AtomicInteger();
        IntStream.range(0, 50_000).parallel().forEach(i -> {
            ticker.addAndGet(Duration.ofMillis(1).toNanos());
            deadlines.after(Duration.ofMillis(i % 30), ran::incrementAndGet);
        });
        ticker.addAndGet(Duration.ofSeconds(1).toNanos());
        await().until(() -> ran.get() == 50_000);
    }

    @Test
    void a_deadline_may_be_as_long_as_a_duration() {
        try (Deadlines endless = new Deadlines(System::nanoTime, Duration.ofSeconds(Long.MAX_VALUE))) {
            endless.after(endless.perOperation(), () -> {}).cancel();
            assertThat(endless.perOperation()).isGreaterThan(Duration.ofDays(36_000));
        }
    }
}
