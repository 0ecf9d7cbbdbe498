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
package org.apache.eventmesh.state.etcd.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What happens to one server, and on the way to it: nothing that was promised is lost, nothing that failed is there. */
@Isolated("it looks for threads that are left, and measures how long calls take")
@Timeout(120)
class OneMemberFaultTest {
    /** -Dpause.seconds=20 is the long form. */
    static final Duration PAUSE = Duration.ofSeconds(Integer.getInteger("pause.seconds", 5));

    private EtcdCluster cluster;
    private EtcdServer server;
    private TcpProxy proxy;
    private RealEngine engine;

    /** Transactions of the three writers whose answer was lost. */
    private int lost;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN);
        server = cluster.member();
        proxy = server.proxy();
        engine = RealEngine.open(cluster);
    }

    @AfterEach
    void stop() {
        engine.close();
        cluster.close();
    }

    private void countedDuring(Runnable fault) throws Exception {
        try (RealEngine second = RealEngine.open(cluster);
                RealEngine third = RealEngine.open(cluster)) {
            Counting counting = Counting.on(List.of(engine, second, third), "counter");
            fault.run();
            counting.stop();
            lost = engine.unknown() + second.unknown() + third.unknown();
        }
    }

    @Test
    void required_G03_a_server_that_was_killed_and_started_again_has_every_write_that_was_answered() throws Exception {
        countedDuring(() -> {
            server.kill();
            server.start();
            server.awaitHealthy();
        });
    }

    @Test
    void required_G03_a_server_that_ended_in_good_order_and_came_back_has_every_write_that_was_answered()
            throws Exception {
        countedDuring(() -> {
            server.terminate();
            server.start();
            server.awaitHealthy();
        });
    }

    @Test
    void required_G04_conditional_writes_of_three_writers_whose_replies_are_dropped_count_exactly() throws Exception {
        countedDuring(() -> {
            for (int i = 0; i < 5; i++) {
                long dropped = proxy.dropped();
                proxy.dropReplies();
                // something was done whose answer is lost
                Eventually.holds(() -> assertThat(proxy.dropped()).isGreaterThan(dropped + 200));
                proxy.heal();
                proxy.cutOnce();
                long received = proxy.received();
                Eventually.holds(() -> assertThat(proxy.received()).isGreaterThan(received + 8_000));
            }
        });
        assertThat(lost).as("transactions whose answer was lost").isPositive();
    }

    @Test
    void required_G04_conditional_writes_of_three_writers_whose_connections_are_cut_count_exactly() throws Exception {
        countedDuring(() -> {
            for (int i = 0; i < 10; i++) {
                long received = proxy.received();
                Eventually.holds(() -> assertThat(proxy.received()).isGreaterThan(received + 5_000));
                proxy.cutOnce();
            }
        });
    }

    @Test
    void required_G02_a_delay_makes_calls_late_and_none_wrong() throws Exception {
        proxy.delay(Duration.ofMillis(30));
        Counting.on(List.of(engine), "counter").stop();
    }

    @Test
    void required_G02_a_read_that_is_cut_off_and_one_in_a_black_hole_fail_within_their_deadline() {
        Duration deadline = Duration.ofSeconds(5);
        try (RealEngine hurried = RealEngine.open(cluster.uri("faults"), Map.of(), deadline)) {
            Stages.get(hurried.put("a", "1"));
            for (Runnable fault : List.<Runnable>of(proxy::cut, proxy::blackHole, proxy::dropReplies)) {
                fault.run();
                long began = System.nanoTime();
                assertThatThrownBy(() -> hurried.text("a"))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("try again");
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(deadline.plusSeconds(3));
                proxy.heal();
                hurried.awaitWritable();
                assertThat(hurried.text("a")).hasValue("1");
            }
        }
    }

    @Test
    void required_G04_a_write_that_failed_while_the_server_was_down_is_not_applied_later() {
        Stages.get(engine.put("a", "1"));
        server.kill();
        // from here on it is known that nothing can be sent
        assertThatThrownBy(() -> engine.text("a")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> Stages.get(engine.put("a", "2")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was applied");
        server.start();
        server.awaitHealthy();
        engine.awaitWritable();
        assertThat(engine.text("a")).hasValue("1");
    }

    @Test
    void required_G04_a_write_that_was_given_up_while_the_server_was_paused_has_one_fate_for_ever() {
        Duration deadline = Duration.ofSeconds(5);
        try (RealEngine hurried = RealEngine.open(cluster.uri("faults"), Map.of(), deadline)) {
            Stages.get(hurried.put("a", "1"));
            server.pause();
            CompletionStage<CommitResult> givenUp = hurried.put("a", "2");
            Eventually.passes(deadline);
            server.resume();
            hurried.awaitWritable();
            boolean applied;
            try {
                applied = Stages.get(givenUp) instanceof CommitResult.Applied;
            } catch (StoreUnavailableException nothingWasAppliedAndNothingWillBe) {
                applied = false;
            }
            // a late request that still lay in some queue would be served by now
            for (int i = 0; i < 20; i++) {
                Stages.get(hurried.put("other", String.valueOf(i)));
                assertThat(hurried.text("a")).hasValue(applied ? "2" : "1");
            }
        }
    }

    @Test
    void required_G02_a_server_that_is_paused_for_five_seconds_goes_on_as_if_nothing_had_been() throws Exception {
        countedDuring(() -> {
            server.pause();
            Eventually.passes(PAUSE);
            server.resume();
        });
    }

    @Test
    void an_opening_waits_for_a_server_that_is_only_slow() throws Exception {
        server.pause();
        CompletableFuture<RealEngine> opened = CompletableFuture.supplyAsync(() -> RealEngine.open(cluster));
        // by then the first connection was given up for its silence
        Eventually.passes(Duration.ofSeconds(4));
        server.resume();
        opened.get(RealEngine.DEADLINE.toSeconds(), TimeUnit.SECONDS).close();
    }

    @Test
    void required_G10_an_engine_whose_server_is_gone_closes_within_its_deadline_and_leaves_no_thread() {
        server.kill();
        CompletionStage<CommitResult> unanswered = engine.put("a", "1");
        long began = System.nanoTime();
        engine.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(RealEngine.DEADLINE.plusSeconds(2));
        Eventually.holds(() -> assertThat(unanswered.toCompletableFuture()).isDone());
        Eventually.holds(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("etcd-watch") || name.startsWith("eventmesh-state-etcd")));
    }
}
