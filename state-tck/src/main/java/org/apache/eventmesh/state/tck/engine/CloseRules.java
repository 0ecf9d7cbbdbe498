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
package org.apache.eventmesh.state.tck.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Closing: twice, under load, and what is called afterwards. */
public interface CloseRules extends EngineRules {
    @Test
    default void required_G10_an_engine_may_be_closed_twice() {
        Engine engine = engines().complete();
        engine.close();
        engine.close();
    }

    @Test
    default void required_G10_a_call_after_close_is_an_exception() {
        useAfterClose(engine());
    }

    @Test
    default void required_G10_a_call_after_close_is_an_exception_also_for_leases_and_watches() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(LeaseRules.TTL));
        useAfterClose(engine);
        assertClosed(failure(lease::renew));
        assertClosed(failure(lease::revoke));
        assertClosed(failure(() -> engine.lease(Duration.ofSeconds(1))));
        assertClosed(failure(() -> engine.remaining(1)));
        assertClosed(thrown(() -> {
            Watch unexpected = engine.watch(ALL, 0, event -> {});
            unexpected.close();
        }));
    }

    private void useAfterClose(Engine engine) {
        engine.close();
        assertClosed(failure(() ->
                engine.commit(List.of(always(put("a", "1"))), Durability.DISK).get(0)));
        assertClosed(failure(() -> engine.read(List.of(key("a")))));
        assertClosed(failure(() -> engine.scan(ALL, 1)));
        // what is known without the backend may still be told; nothing else than that, and no crash
        valueOrClosed(engine::syncedRevision);
        valueOrClosed(engine::incarnation);
        valueOrClosed(engine::limits);
        valueOrClosed(engine::health);
    }

    private static void valueOrClosed(Runnable call) {
        try {
            call.run();
        } catch (StoreClosedException expected) {
            assertClosed(expected);
        }
    }

    private static Throwable thrown(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            return e;
        }
        throw new AssertionError("it was answered");
    }

    private static void assertClosed(Throwable failure) {
        assertThat(failure).isInstanceOf(StoreClosedException.class);
        assertThat(failure.getMessage()).isNotBlank();
    }

    @Test
    default void required_G10_closing_while_calls_run_answers_each_of_them_and_keeps_what_was_applied()
            throws InterruptedException {
        Engine engine = engine();
        Queue<String> applied = new ConcurrentLinkedQueue<>();
        CountDownLatch busy = new CountDownLatch(200);
        try (Threads threads = new Threads()) {
            for (String writer : List.of("x", "y", "z")) {
                threads.run(() -> untilClosed(busy, i -> {
                    String name = writer + i;
                    apply(engine, always(put(name, name), put(name + "'", name)));
                    applied.add(name);
                }));
                threads.run(() -> untilClosed(busy, i -> read(engine, writer + i)));
                threads.run(() -> untilClosed(busy, i -> get(engine.scan(ALL, 5))));
            }
            assertThat(busy.await(Stages.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            engine.close();
            threads.await();
        }
        if (engines().kit().has(Capability.DURABLE)) {
            engines().reopen();
            Map<String, String> kept = scan(engine(), ALL, 1000).stream()
                    .collect(Collectors.toMap(
                            entry -> entry.key().toUtf8().substring(1),
                            entry -> entry.value().toUtf8()));
            assertThat(kept.keySet()).containsAll(applied);
            kept.forEach((name, value) ->
                    assertThat(kept).as("the commit of " + name).containsKeys(value, value + "'"));
        }
    }

    private static void untilClosed(CountDownLatch busy, IntConsumer call) {
        for (int i = 0; ; i++) {
            try {
                call.accept(i);
            } catch (StoreClosedException closed) {
                return;
            } catch (OutcomeUnknownException underWay) {
                // allowed to a commit that the close overtook; the next call is closed
            } finally {
                busy.countDown();
            }
        }
    }
}
