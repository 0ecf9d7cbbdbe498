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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Store sets whose one server goes away in the middle of what they do, and comes back. */
@Timeout(120)
class AwayFaultTest {
    private static final PageRequest ALL = PageRequest.first(1_000);
    private static final int TASKS = 60;
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    private EtcdCluster cluster;
    private EtcdServer server;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN);
        server = cluster.member();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void required_T08_creations_while_etcd_goes_away_fail_visibly_and_repeated_afterwards_leave_one_task_each() {
        try (StateStores stores = Possessions.open(List.of(cluster.uri("tasks")), DEADLINE)) {
            Member member = get(stores.join("A", Duration.ofMinutes(5)));
            Shard shard = get(stores.deliveries().claim(member, Possessions.ORDERS))
                    .claimed()
                    .orElseThrow();
            List<CompletableFuture<CreateResult>> asked = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                asked.add(create(stores, shard, i));
                if (i == TASKS / 3) {
                    get(asked.get(i / 2));
                    server.kill();
                }
            }

            Eventually.holds(() -> assertThat(asked).allMatch(CompletableFuture::isDone));
            List<Integer> failed = IntStream.range(0, TASKS)
                    .filter(i -> asked.get(i).isCompletedExceptionally())
                    .boxed()
                    .toList();
            assertThat(failed).as("the failure surfaces").hasSizeBetween(TASKS / 2, TASKS - TASKS / 6);
            failed.forEach(i -> assertThat(catchThrowable(() -> get(asked.get(i))))
                    .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class));

            server.start();
            server.awaitHealthy();
            failed.forEach(i -> Eventually.holds(() -> assertThat(again(stores, shard, i))
                    .isInstanceOfAny(CreateResult.Created.class, CreateResult.Existing.class)));

            List<TaskId> all = IntStream.range(0, TASKS)
                    .mapToObj(AwayFaultTest::id)
                    .map(TaskId::new)
                    .toList();
            assertThat(get(stores.tasks().list(TaskFilter.all(), ALL)).items())
                    .extracting(Task::id)
                    .containsExactlyInAnyOrderElementsOf(all);
            assertThat(get(stores.deliveries().list(DeliveryFilter.of(Possessions.ORDERS), ALL))
                            .items())
                    .as("and one delivery each")
                    .extracting(delivery -> delivery.task().orElseThrow())
                    .containsExactlyInAnyOrderElementsOf(all);
        }
    }

    private static String id(int i) {
        return "task-" + i;
    }

    private static CompletableFuture<CreateResult> create(StateStores stores, Shard shard, int i) {
        return stores.tasks()
                .create(shard, Possessions.task(id(i)), Possessions.CARRIER)
                .toCompletableFuture();
    }

    /** The answer, or the failure. */
    private static Object again(StateStores stores, Shard shard, int i) {
        return create(stores, shard, i)
                .handle((result, failure) -> failure == null ? result : failure)
                .join();
    }
}
