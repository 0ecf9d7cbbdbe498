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
package org.apache.eventmesh.state.core.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.apply;
import static org.apache.eventmesh.state.core.local.LocalFixture.key;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.apache.eventmesh.state.core.local.LocalFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class LeasesTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final LocalFixture fixture = new LocalFixture();
    private final StubEngine stub = new StubEngine();
    private final SingleProcessEngine engine = fixture.over(stub);

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void noReadAfterTheEndSeesTheKey() {
        Lease lease = grant();
        apply(engine, put("a", "1", lease.id()), put("b", "1", lease.id()), put("c", "1"));
        fixture.pass(TTL.minusNanos(1));
        assertThat(keys(Await.result(engine.scan(ALL, 9)).entries())).containsExactly("a", "b", "c");

        fixture.pass(Duration.ofNanos(1));

        assertThat(Await.result(engine.read(List.of(key("a"), key("b"))))).isEmpty();
        assertThat(keys(Await.result(engine.scan(ALL, 9)).entries())).containsExactly("c");
        assertThat(Await.result(engine.remaining(lease.id()))).isZero();
        assertThat(Await.result(lease.renew())).isFalse();
    }

    @Test
    void theEndIsNoticedWithoutTraffic() {
        apply(engine, put("a", "1", grant().id()));
        fixture.pass(TTL);
        await().until(() -> Await.result(stub.read(List.of(key("a")))).isEmpty());
    }

    @Test
    void renewingStartsTheTimeAnew() {
        Lease lease = grant();
        apply(engine, put("a", "1", lease.id()));
        fixture.pass(TTL.minusSeconds(1));
        assertThat(Await.result(lease.renew())).isTrue();
        fixture.pass(TTL.minusSeconds(1));
        assertThat(Await.result(engine.remaining(lease.id()))).isEqualTo(Duration.ofSeconds(1));
        assertThat(Await.result(engine.read(List.of(key("a"))))).hasSize(1);
    }

    @Test
    void aPutWithoutTheLeaseAndADeleteDetach() {
        Lease lease = grant();
        Lease other = grant();
        apply(engine, put("a", "1", lease.id()), put("b", "1", lease.id()), put("c", "1", lease.id()));
        apply(engine, put("a", "2"), Change.delete(key("b")), put("c", "2", other.id()));
        apply(engine, put("b", "3"));
        Await.result(lease.revoke());
        assertThat(keys(Await.result(engine.scan(ALL, 9)).entries())).containsExactly("a", "b", "c");
        Await.result(other.revoke());
        assertThat(keys(Await.result(engine.scan(ALL, 9)).entries())).containsExactly("a", "b");
    }

    @Test
    void aPutUnderAnEndedOrUnknownLeaseChangesNothing() {
        Lease lease = grant();
        Await.result(lease.revoke());
        Await.result(lease.revoke());
        assertThat(apply(engine, put("a", "1", lease.id()), put("b", "1")))
                .isEqualTo(new CommitResult.LeaseEnded(lease.id()));
        assertThat(apply(engine, put("a", "1", 42))).isEqualTo(new CommitResult.LeaseEnded(42));
        assertThat(stub.entries).isEmpty();
    }

    @Test
    void aConditionalCommitIsDecidedAfterTheEnd() {
        apply(engine, put("a", "1", grant().id()));
        fixture.pass(TTL);
        Commit ifAbsent = new Commit(List.of(Condition.absent(key("a"))), List.of(put("a", "2")));
        assertThat(Await.result(
                        engine.commit(List.of(ifAbsent), Durability.DISK).get(0)))
                .isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void aPutThatIsUnderWayAtTheEndIsWaitedForByThoseWhoTouchItsKeyOnly() {
        Lease lease = grant();
        stub.holding = true;
        var underWay = start(engine, put("a", "1", lease.id())).toCompletableFuture();
        stub.holding = false;
        fixture.pass(TTL);

        var touching = engine.read(List.of(key("a"))).toCompletableFuture();
        assertThat(Await.result(engine.read(List.of(key("b"))))).isEmpty();
        assertThat(apply(engine, put("b", "1"))).isInstanceOf(CommitResult.Applied.class);
        assertThat(touching).isNotDone();

        stub.held.get(0).answer();
        assertThat(Await.result(underWay)).isInstanceOf(CommitResult.Applied.class);
        assertThat(Await.result(touching)).isEmpty();
    }

    @Test
    void callsFailWhileTheKeysCannotBeDeletedAndWorkAgainAfterwards() {
        apply(engine, put("a", "1", grant().id()));
        stub.failing = true;
        fixture.pass(TTL);
        assertThatThrownBy(() -> Await.result(engine.read(List.of(key("a")))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("stub:");
        assertThat(Await.result(engine.read(List.of(key("b"))))).isEmpty();
        stub.failing = false;
        await().ignoreExceptions()
                .until(() -> Await.result(engine.read(List.of(key("a")))).isEmpty());
    }

    @Test
    void aPutThatIsAnsweredAfterALaterChangeOfItsKeyDoesNotTakeItBack() {
        Lease lease = grant();
        stub.holding = true;
        var first = start(engine, put("a", "1", lease.id())).toCompletableFuture();
        var second = start(engine, put("a", "2")).toCompletableFuture();
        stub.holding = false;
        stub.held.get(1).answer();
        stub.held.get(0).answer();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        Await.result(lease.revoke());
        assertThat(Await.result(engine.read(List.of(key("a"))))).hasSize(1);
    }

    @Test
    void manyLeasesThatEndAtOnceTakeFewThreads() {
        List<Lease> leases = IntStream.range(0, 2_000).mapToObj(i -> grant()).toList();
        leases.forEach(lease -> apply(engine, put("k" + lease.id(), "1", lease.id())));
        fixture.pass(TTL);
        List<CompletionStage<List<Entry>>> reads = leases.stream()
                .map(lease -> engine.read(List.of(key("k" + lease.id()))))
                .toList();
        reads.forEach(read -> assertThat(Await.result(read)).isEmpty());
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("eventmesh-state-worker"))
                .hasSizeLessThan(50);
        assertThat(stub.entries).isEmpty();
    }

    @Test
    void openingEndsTheLeasesOfAnEarlierLife() {
        IntStream.range(0, 1_500).forEach(i -> apply(engine, put("a" + i, "1")));
        apply(engine, put("b", "1"));
        LocalRanges ranges = new LocalRanges(List.of(new KeyRange(key("a"), key("b"))), List.of());
        SingleProcessEngine again = SingleProcessEngine.open(stub, fixture.config("stub:"), ranges);
        assertThat(keys(Await.result(again.scan(ALL, 9)).entries())).containsExactly("b");
        again.close();
    }

    private Lease grant() {
        return Await.result(engine.lease(TTL));
    }

    private static List<String> keys(List<Entry> entries) {
        return entries.stream().map(Entry::key).map(Bytes::toUtf8).toList();
    }
}
