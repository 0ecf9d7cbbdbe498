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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Deliveries on the disk of a host, all else in one real server that goes away, or stays while the host is lost. */
@Timeout(120)
class TwoBackendFaultTest {
    private static final PageRequest ALL = PageRequest.first(100);

    private EtcdCluster cluster;
    private EtcdServer server;

    @TempDir
    Path directory;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN);
        server = cluster.member();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private String local(String host) {
        return "rocksdb://" + directory.resolve(host);
    }

    private static Ack ack(HandOut given) {
        return Ack.of(given.receipt(), Possessions.ALICE.client());
    }

    @Test
    void required_X02_L01_given_up_while_etcd_is_away_it_stays_open_and_afterwards_it_is_a_dead_letter_once() {
        try (StateStores stores = Possessions.open(List.of(local("a"), cluster.uri("two")), Duration.ofSeconds(8))) {
            Member member = get(stores.join("A", Duration.ofMinutes(5)));
            Shard shard = get(stores.deliveries().claim(member, Possessions.ORDERS))
                    .claimed()
                    .orElseThrow();
            List<HandOut> given =
                    get(shard.open(Possessions.messages(0, 3))).handOuts().toList();
            server.kill();

            assertThat(catchThrowable(() -> get(shard.deadLetter(given.get(0).receipt(), "broken"))))
                    .isInstanceOfAny(OutcomeUnknownException.class, StoreUnavailableException.class);
            assertThat(shard.view().all().open()).as("it stays open").isEqualTo(3);
            assertThat(get(stores.deliveries().list(DeliveryFilter.of(Possessions.ORDERS), ALL))
                            .items())
                    .hasSize(3);
            assertThat(shard.view().watermark()).hasValue(0);
            assertThat(get(shard.ack(ack(given.get(1))))).as("others go on").isInstanceOf(AckResult.Acked.class);

            server.start();
            server.awaitHealthy();
            Eventually.holds(() -> assertThat(answer(shard, given.get(0))).isInstanceOf(NackResult.DeadLettered.class));
            assertThat(get(stores.deadLetters().count(DeadLetterFilter.all()))).isOne();
            assertThat(shard.view().all().open()).isOne();
            assertThat(shard.view().watermark()).hasValue(2);
        }
    }

    /** The answer, or the failure. */
    private static Object answer(Shard shard, HandOut given) {
        Throwable[] failure = new Throwable[1];
        Object[] result = new Object[1];
        failure[0] = catchThrowable(() -> result[0] = get(shard.deadLetter(given.receipt(), "broken")));
        return failure[0] == null ? result[0] : failure[0];
    }

    @Test
    void required_X02_another_host_claims_what_a_host_owned_that_is_lost_for_good_and_delivers_all_that_was_open()
            throws Exception {
        Path lost = directory.resolve("a");
        try (OwnerProcess owner = OwnerProcess.start(local("a"), cluster.uri("two"));
                StateStores stores = Possessions.open(List.of(local("b"), cluster.uri("two")))) {
            assertThat(owner.tell("ack 0")).containsExactly("ack 0: Acked");
            assertThat(owner.tell("ack 1")).containsExactly("ack 1: Acked");
            // what another host sees is what was published
            Eventually.holds(() -> assertThat(get(stores.offsets().position(Possessions.ORDERS, Possessions.BILLING)))
                    .hasValue(2));
            assertThat(owner.tell("ack 3")).containsExactly("ack 3: Acked");
            owner.close();
            delete(lost);

            Member member = get(stores.join("B", Duration.ofMinutes(5)));
            Eventually.holds(() -> assertThat(get(stores.deliveries().claim(member, Possessions.ORDERS)))
                    .isInstanceOf(ClaimResult.Claimed.class));
            Shard shard = get(stores.deliveries().claim(member, Possessions.ORDERS))
                    .claimed()
                    .orElseThrow();

            assertThat(shard.view().readNext())
                    .as("where to read the broker from")
                    .hasValue(2);
            List<HandOut> again = get(shard.open(Possessions.messages(2, Possessions.MESSAGES)))
                    .handOuts()
                    .toList();
            assertThat(again)
                    .extracting(handOut -> handOut.delivery().offset())
                    .as("all that was open, and what was not published yet once more")
                    .containsExactly(2L, 3L, 4L, 5L);
            assertThat(again)
                    .allSatisfy(handOut -> assertThat(handOut.delivery().payload())
                            .isEqualTo(Possessions.payload(handOut.delivery().offset())));
            assertThat(get(shard.handOut(10, Possessions.HAND_OUT, due -> Optional.of(Possessions.ALICE)))
                            .handOuts())
                    .as("the task's delivery, from its record")
                    .singleElement()
                    .satisfies(handOut -> assertThat(handOut.delivery().task())
                            .hasValue(Possessions.task("task").id()));
            again.forEach(handOut -> assertThat(get(shard.ack(ack(handOut)))).isInstanceOf(AckResult.Acked.class));
            assertThat(shard.view().watermark()).hasValue(Possessions.MESSAGES);
        }
    }

    private static void delete(Path directory) throws Exception {
        try (Stream<Path> below = Files.walk(directory)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
