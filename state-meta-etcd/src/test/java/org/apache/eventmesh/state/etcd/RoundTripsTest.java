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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.set.StoreSets;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.etcd.jetcd.JetcdClient;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many round trips to etcd each operation takes with a warm cache, counted at the client; and the table of it in the
 * docs. What the library does by itself meanwhile is counted too, so of several tries the one with the fewest counts.
 */
@Timeout(120)
class RoundTripsTest {
    private static final Path TABLE = Path.of("..", "docs", "etcd-round-trips.md");
    private static final String COMMAND =
            "./mvnw -pl state-meta-etcd -am test -Dtest=RoundTripsTest -Dtrips.write=true -Dsurefire.failIfNoSpecifiedTests=false";

    private static final int TRIES = 5;
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final Duration HAND_OUT = Duration.ofMinutes(5);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final Subscriber MIRROR = Subscriber.group("mirror");
    private static final Partition ORDERS = new Partition("orders", 0);

    private final CountedCalls calls = new CountedCalls();
    private final StateStores stores = open();
    private final Member member = Await.result(stores.join("instance-1", LEASE));
    private final Shard shard =
            Await.result(stores.deliveries().claim(member, ORDERS)).claimed().orElseThrow();
    private final OwnedClient client = Await.result(stores.subscriptions().connect(member, new ClientId("alice")));
    private final Map<String, Long> writes = new LinkedHashMap<>();
    private final Map<String, Long> writesThatRead = new LinkedHashMap<>();
    private final Map<String, Long> claims = new LinkedHashMap<>();
    private final Map<String, Long> reads = new LinkedHashMap<>();
    private final Map<String, Long> readsOfParts = new LinkedHashMap<>();
    private long nextOffset;

    private StateStores open() {
        String uri = EtcdCluster.shared(1).uri("trips-" + UUID.randomUUID());
        StoreSettings settings = StoreSettings.of(uri);
        EngineConfig config = new EngineConfig(
                uri, Map.of(), settings.deadline(), InstantSource.system(), System::nanoTime, EngineListener.NONE);
        EtcdEngine engine = EtcdOpening.open(
                config,
                EtcdSettings.of(Map.of()),
                EtcdAddress.parse(uri),
                client -> calls.of(JetcdClient.connect(client)));
        return StoreSets.open(settings, engine, new EtcdEngineProvider().capabilities());
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Test
    void required_ENG_a_single_record_operation_is_one_round_trip_and_a_claim_two() throws IOException {
        deliveries();
        offsets();
        subscriptions();
        sessions();
        deadLetters();
        tasks();
        claims();

        String now = table();
        if (Boolean.getBoolean("trips.write")) {
            Files.writeString(TABLE, now);
        }
        assertThat(writes)
                .as("writes")
                .allSatisfy(
                        (operation, trips) -> assertThat(trips).as(operation).isEqualTo(1));
        assertThat(claims)
                .as("claims")
                .allSatisfy(
                        (operation, trips) -> assertThat(trips).as(operation).isLessThanOrEqualTo(2));
        assertThat(reads)
                .as("reads")
                .allSatisfy(
                        (operation, trips) -> assertThat(trips).as(operation).isLessThanOrEqualTo(1));
        assertThat(writesThatRead)
                .as("writes that rest on another record")
                .allSatisfy(
                        (operation, trips) -> assertThat(trips).as(operation).isLessThanOrEqualTo(2));
        assertThat(readsOfParts)
                .as("reads of two records, of which the first names the second")
                .allSatisfy(
                        (operation, trips) -> assertThat(trips).as(operation).isLessThanOrEqualTo(2));
        assertThat(Files.exists(TABLE) ? Files.readString(TABLE) : "")
                .as("docs/etcd-round-trips.md is stale; make it anew with: %s", COMMAND)
                .isEqualTo(now);
    }

    private void deliveries() {
        write("deliveries: `open` a poll", n -> shard.open(poll(1)));
        List<HandOut> held = openMany(8 * TRIES);
        write("deliveries: `ack`", n -> shard.ack(Ack.of(held.get(n).receipt(), clientId())));
        write(
                "deliveries: `nack`",
                n -> shard.nack(new Nack(held.get(TRIES + n).receipt(), clientId(), "later"), Retry.immediately(9)));
        second("deliveries: `handOut`", n -> shard.handOut(1, HAND_OUT, due -> Optional.of(client.receiver())));
        second(
                "deliveries: `deadLetter`",
                n -> shard.deadLetter(held.get(3 * TRIES + n).receipt(), "poison"));
        write(
                "deliveries: `release` a receiver",
                n -> shard.release(client.receiver()),
                n -> Await.result(shard.handOut(1, HAND_OUT, due -> Optional.of(client.receiver()))));
        List<FanOut> completed = completedMany(TRIES + 1);
        write("deliveries: `confirm`", n -> shard.confirm(List.of(completed.get(n))));
        readOfParts(
                "deliveries: `find`",
                n -> stores.deliveries().find(held.get(6 * TRIES).delivery().id()));
    }

    private void offsets() {
        write("offsets: `advance`", n -> stores.offsets().advance(shard, Map.of(MIRROR, 10L + n)));
        write(
                "offsets: `reset`",
                n -> stores.offsets().reset(shard, MIRROR, Reset.from(10L + TRIES - 1 - n, 10L + TRIES - 2 - n)));
        read("offsets: `position`", n -> stores.offsets().position(ORDERS, MIRROR));
    }

    private void subscriptions() {
        write("subscriptions: `register`", n -> client.register(interest("topic-" + n)));
        write("subscriptions: `unregister`", n -> client.unregister("topic-" + n));
    }

    private void sessions() {
        OwnedAgent agent = Await.result(stores.sessions().register(member, agent("agent"), LEASE))
                .claimed()
                .orElseThrow();
        second("sessions: `heartbeat`", n -> agent.heartbeat(n % 2 == 0, n));
        Agent asRead =
                Await.result(stores.sessions().find(new AgentId("agent"))).orElseThrow();
        write("sessions: `bind`", n -> stores.sessions().bind(asRead, new SessionId("bound-" + n)));
        write("sessions: `unbind`", n -> stores.sessions().unbind(new SessionId("bound-" + n)));
        write(
                "sessions: `open`",
                n -> stores.sessions().open(new SessionSpec(session(n), Duration.ofMinutes(5), Attributes.NONE)));
        second("sessions: `close`", n -> stores.sessions().close(session(n)));
        read("sessions: `find` an agent", n -> stores.sessions().find(new AgentId("agent")));
    }

    private void deadLetters() {
        List<DeadLetter> letters = lettersMany(2 * TRIES + 2);
        second("dead letters: `replay`", n -> stores.deadLetters().replay(letters.get(n), RequestKey.of("key-" + n)));
        write("dead letters: `purge` one", n -> stores.deadLetters().purge(letters.get(TRIES + n)));
        read(
                "dead letters: `find`",
                n -> stores.deadLetters().find(letters.get(2 * TRIES).id()));
    }

    private void tasks() {
        second("tasks: `create`", n -> stores.tasks().create(shard, task("task-" + n), carrier()));
        List<CreateResult.Created> created = new ArrayList<>();
        for (int n = 0; n < TRIES; n++) {
            created.add(
                    (CreateResult.Created) Await.result(stores.tasks().create(shard, task("moved-" + n), carrier())));
        }
        write(
                "tasks: `move`",
                n -> created.get(n).owned().move(created.get(n).task(), TaskChange.to(TaskState.WORKING)));
        write("tasks: `cancel`", n -> stores.tasks().cancel(new TaskId("task-" + n), 1, "no need"));
        read("tasks: `find`", n -> stores.tasks().find(new TaskId("task-0")));
    }

    private void claims() {
        claim("claim an agent: `register`", n -> stores.sessions().register(member, agent("agent-" + n), LEASE));
        claim("claim a client: `connect`", n -> stores.subscriptions().connect(member, new ClientId("client-" + n)));
        claim("claim a task: `takeOver`", n -> stores.tasks().takeOver(member, new TaskId("moved-" + n)));
    }

    private void write(String operation, IntFunction<CompletionStage<?>> call) {
        writes.put(operation, fewest(call, n -> {}));
    }

    private void second(String operation, IntFunction<CompletionStage<?>> call) {
        writesThatRead.put(operation, fewest(call, n -> {}));
    }

    private void read(String operation, IntFunction<CompletionStage<?>> call) {
        reads.put(operation, fewest(call, n -> {}));
    }

    private void readOfParts(String operation, IntFunction<CompletionStage<?>> call) {
        readsOfParts.put(operation, fewest(call, n -> {}));
    }

    private void claim(String operation, IntFunction<CompletionStage<?>> call) {
        claims.put(operation, fewest(call, n -> {}));
    }

    private interface Before {
        void prepare(int n);
    }

    private void write(String operation, IntFunction<CompletionStage<?>> call, Before before) {
        writes.put(operation, fewest(call, before));
    }

    private long fewest(IntFunction<CompletionStage<?>> call, Before before) {
        long fewest = Long.MAX_VALUE;
        for (int n = 0; n < TRIES; n++) {
            before.prepare(n);
            long from = calls.trips();
            Await.result(call.apply(n));
            fewest = Math.min(fewest, calls.trips() - from);
        }
        return fewest;
    }

    private OpenBatch poll(int messages) {
        List<Incoming> incoming = new ArrayList<>();
        long from = nextOffset;
        for (int n = 0; n < messages; n++) {
            incoming.add(Incoming.of(nextOffset++, Bytes.utf8("message"), Attributes.NONE)
                    .to(BILLING, client.receiver())
                    .brokerHandle(Bytes.utf8("handle"), Duration.ofHours(1)));
        }
        return OpenBatch.range("life-1", from, nextOffset, Set.of(BILLING), incoming, HAND_OUT);
    }

    private List<HandOut> openMany(int messages) {
        return Await.result(shard.open(poll(messages))).handOuts().toList();
    }

    private List<FanOut> completedMany(int messages) {
        openMany(messages).forEach(each -> Await.result(shard.ack(Ack.of(each.receipt(), clientId()))));
        return Await.result(shard.completed(messages));
    }

    private List<DeadLetter> lettersMany(int messages) {
        List<DeadLetter> letters = new ArrayList<>();
        for (HandOut each : openMany(messages)) {
            Await.result(shard.deadLetter(each.receipt(), "poison"));
            DeadLetterId id = new DeadLetterId(ORDERS, each.delivery().offset(), BILLING);
            letters.add(Await.result(stores.deadLetters().find(id)).orElseThrow());
        }
        return letters;
    }

    private ClientId clientId() {
        return client.token().scope();
    }

    private static SessionId session(int n) {
        return new SessionId("session-" + n);
    }

    private static AgentSpec agent(String id) {
        return new AgentSpec(new AgentId(id), "kind", 100, Attributes.NONE);
    }

    private static Interest interest(String topic) {
        return new Interest(topic, Interest.Mode.LOAD_BALANCE, BILLING, Optional.empty(), Attributes.NONE);
    }

    private static NewTask task(String id) {
        return new NewTask(
                new TaskId(id),
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.utf8("input"),
                Attributes.NONE);
    }

    private static Carrier carrier() {
        return new Carrier(Subscriber.group("agents"), Optional.empty(), HAND_OUT);
    }

    private String table() {
        StringBuilder text = new StringBuilder();
        text.append("# Round trips to etcd\n\n")
                .append(
                        "How often each operation asks the servers, with a warm cache: the store set remembers what it saw\n")
                .append(
                        "last, commits on that condition, and gets the present entries in the same answer if it was wrong.\n")
                .append("Counted and written by `")
                .append(COMMAND)
                .append("`; do not edit.\n");
        section(text, "Writes", writes);
        section(
                text,
                "Writes with a second trip",
                "The message that goes out, or into the dead letters, stands in etcd only; a task of the same id may be"
                        + " there;\na heartbeat renews the agent's lease and writes what it reports; the end of a session\nlooks for what hangs on it.",
                writesThatRead);
        section(text, "Claims", claims);
        section(text, "Reads", reads);
        section(
                text,
                "Reads of two records",
                "A delivery is found by its number; its record names the message, which several deliveries share.",
                readsOfParts);
        return text.toString();
    }

    private static void section(StringBuilder text, String title, Map<String, Long> counts) {
        section(text, title, "", counts);
    }

    private static void section(StringBuilder text, String title, String why, Map<String, Long> counts) {
        text.append("\n## ").append(title).append("\n\n");
        text.append(why).append(why.isEmpty() ? "" : "\n\n").append("| operation | round trips |\n|---|---:|\n");
        counts.forEach((operation, trips) ->
                text.append("| ").append(operation).append(" | ").append(trips).append(" |\n"));
    }
}
