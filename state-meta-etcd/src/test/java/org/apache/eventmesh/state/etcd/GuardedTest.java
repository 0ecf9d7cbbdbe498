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

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedTest {
    private static final List<Throwable> FAILURES = List.of(
            new OutOfMemoryError("on purpose"),
            new StackOverflowError("on purpose"),
            new IllegalStateException("on purpose"),
            new AssertionError("on purpose"));

    private static void fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    @Test
    void required_G02_work_that_is_done_again_and_again_goes_on_after_errors() {
        AtomicInteger runs = new AtomicInteger();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = timer.scheduleWithFixedDelay(
                    Guarded.periodic("the work of the test", () -> {
                        int run = runs.getAndIncrement();
                        if (run < FAILURES.size()) {
                            fail(FAILURES.get(run));
                        }
                    }),
                    0,
                    1,
                    TimeUnit.MILLISECONDS);

            Awaitility.await().until(() -> runs.get() > FAILURES.size() + 1);
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void required_G02_a_failure_that_cannot_even_be_logged_ends_nothing() {
        List<String> logged = new ArrayList<>();
        FAILURES.forEach(why -> {
            Logger broken = (Logger) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Logger.class}, (log, call, of) -> {
                        logged.add(call.getName());
                        throw why;
                    });
            Guarded.report(broken, "it met a bug", new IllegalStateException("on purpose"));
        });

        assertThat(logged).containsExactly("error", "error", "error", "error");
    }
}
