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

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.local.LocalFixture.Events;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.apply;
import static org.apache.eventmesh.state.core.local.LocalFixture.key;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.apache.eventmesh.state.core.local.LocalFixture.start;
import static org.apache.eventmesh.state.core.local.LocalFixture.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class WatchesTest {
    private final LocalFixture fixture = new LocalFixture();
    private final StubEngine stub = new StubEngine();
    private final SingleProcessEngine engine =
            SingleProcessEngine.open(stub, fixture.config("stub:"), LocalRanges.ANYTHING, new HistoryBounds(10, 1_000));
    private final Events events = new Events();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void replaysThenGoesOnLive() {
        apply(engine, put("a", "1"), put("b", "1"));
        apply(engine, put("c", "1"));
        engine.watch(ALL, 1, events);
        await().until(() -> events.changes().equals(List.of("c@2")));
        apply(engine, Change.delete(key("a")), put("d", "1"));
        await().until(() -> events.changes().equals(List.of("c@2", "-a@3", "d@3")));
        await().until(() -> events.all.contains(new WatchEvent.Progress(3)));
    }

    @Test
    void deliversItsRangeOnlyAndSaysHowFarItIs() {
        engine.watch(new KeyRange(key("b"), key("c")), 0, events);
        apply(engine, put("a", "1"));
        apply(engine, put("b", "1"));
        apply(engine, put("c", "1"));
        await().until(() -> events.all.contains(new WatchEvent.Progress(3)));
        assertThat(events.changes()).containsExactly("b@2");
    }

    @Test
    void answersInAnyOrderArePublishedInTheOrderOfRevisions() {
        engine.watch(ALL, 0, events);
        stub.holding = true;
        for (int i = 1; i <= 4; i++) {
            var unused = start(engine, put("k", "v"));
        }
        stub.held.get(2).answer();
        stub.held.get(1).answer();
        stub.held.get(3).answer();
        assertThat(events.changes()).isEmpty();
        stub.held.get(0).answer();
        await().until(() -> events.changes().equals(List.of("k@1", "k@2", "k@3", "k@4")));
    }

    @Test
    void aRevisionDoesNotWaitForCommitsThatCameAfterItsAnswer() {
        engine.watch(ALL, 0, events);
        stub.holding = true;
        var unused = start(engine, put("a", "1"));
        stub.held.get(0).answer();
        unused = start(engine, put("b", "1"));
        await().until(() -> events.changes().equals(List.of("a@1")));
        stub.held.get(1).answer();
        await().until(() -> events.changes().equals(List.of("a@1", "b@2")));
    }

    @Test
    void anUnknownFateIsLostAndTheNextScanGivesAPlaceToGoOnFrom() {
        engine.watch(ALL, 0, events);
        stub.holding = true;
        var unused = start(engine, put("a", "1"));
        stub.holding = false;
        stub.held.get(0).fail(new OutcomeUnknownException("nobody knows"));
        await().until(events::lost);

        await().until(() -> {
            Events again = new Events();
            long revision = Await.result(engine.scan(ALL, 1)).revision();
            engine.watch(ALL, revision, again);
            apply(engine, put("b", "1"));
            await().until(() -> again.lost() || !again.changes().isEmpty());
            return !again.lost();
        });
    }

    @Test
    void answersThatPileUpBehindOneAreLostRatherThanSilent() {
        engine.watch(ALL, 0, events);
        stub.holding = true;
        var unused = start(engine, put("stuck", "1"));
        stub.holding = false;
        for (int i = 0; i < 11; i++) {
            apply(engine, put("k", "v"));
        }
        await().until(events::lost);
        assertThat(events.changes()).isEmpty();
    }

    @Test
    void whatIsNotHeldAnyMoreIsLost() {
        for (int i = 0; i < 12; i++) {
            apply(engine, put("k", "v"));
        }
        engine.watch(ALL, 1, events);
        await().until(events::lost);
        assertThat(events.changes()).isEmpty();
        Events held = new Events();
        engine.watch(ALL, 2, held);
        await().until(() -> held.changes().size() == 10);
    }

    @Test
    void aRevisionThatNobodyToldIsLost() {
        engine.watch(ALL, 7, events);
        await().until(events::lost);
    }

    @Test
    void aListenerThatBlocksLosesItsPlaceAndHarmsNoOther() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        engine.watch(ALL, 0, event -> {
            blocked.countDown();
            waitFor(goOn);
            events.on(event);
        });
        Events other = new Events();
        engine.watch(ALL, 0, other);
        apply(engine, put("k", "v"));
        blocked.await();
        for (int i = 2; i <= 20; i++) {
            apply(engine, put("k", "v"));
            int expected = i;
            await().until(() -> other.changes().size() == expected);
        }
        goOn.countDown();
        await().until(events::lost);
        assertThat(other.lost()).isFalse();
    }

    @Test
    void aListenerThatThrowsGoesOn() {
        AtomicInteger calls = new AtomicInteger();
        engine.watch(ALL, 0, event -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("on purpose");
            }
            events.on(event);
        });
        apply(engine, put("a", "1"), put("b", "1"));
        await().until(() -> events.changes().equals(List.of("b@1")));
    }

    @Test
    void nothingComesAfterClose() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Watch watch = engine.watch(ALL, 0, event -> {
            inside.countDown();
            waitFor(goOn);
            events.on(event);
        });
        apply(engine, put("a", "1"), put("b", "1"));
        inside.await();
        Thread closing = new Thread(watch::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.WAITING);
        goOn.countDown();
        closing.join();
        int seen = events.all.size();
        assertThat(seen).isEqualTo(1);
        apply(engine, put("c", "1"));
        engine.close();
        assertThat(events.all).hasSize(seen);
    }

    @Test
    void closingTheEngineIsTold() {
        engine.watch(ALL, 0, events);
        engine.close();
        await().until(() -> events.all.contains(new WatchEvent.Lost("closed")));
        assertThatThrownBy(() -> engine.watch(ALL, 0, events)).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void onlyWatchedRangesAreRemembered() {
        KeyRange watched = new KeyRange(key("b"), key("c"));
        SingleProcessEngine narrow = SingleProcessEngine.open(
                new StubEngine(),
                fixture.config("stub:"),
                new LocalRanges(List.of(), List.of(watched)),
                new HistoryBounds(2, 1_000));
        apply(narrow, put("b1", "1"));
        for (int i = 0; i < 20; i++) {
            apply(narrow, put("a", "1"));
        }
        narrow.watch(watched, 0, events);
        await().until(() -> events.changes().equals(List.of("b1@1")));
        assertThatThrownBy(() -> narrow.watch(ALL, 0, events)).isInstanceOf(IllegalArgumentException.class);
        narrow.close();
    }
}
