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
package org.apache.eventmesh.state.inmemory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.engine.EngineRules;
import org.apache.eventmesh.state.tck.engine.EngineTck;
import org.apache.eventmesh.state.tck.fault.Cut;
import org.apache.eventmesh.state.tck.fault.FaultEngine;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** With no fault armed, the decorator is an engine like the one below it; with a cut, so are its leases and watches. */
class FaultEngineTckTest extends EngineTck {
    @Override
    protected StoreFixture fixture() {
        return new InMemoryFixture();
    }

    @Override
    protected Engine decorated(Engine engine) {
        return new FaultEngine(engine);
    }

    @Test
    void aWatchThatHangsHearsAfterTheHealingAndOneThatFailsIsLost() {
        FaultEngine cut = (FaultEngine) engines().shared();
        Engine other = engines().shared();
        List<WatchEvent> events = new CopyOnWriteArrayList<>();
        Watch watch = cut.watch(ALL, get(cut.scan(ALL, 1)).revision(), events::add);
        cut.cut(Cut.HANG);
        long revision = apply(other, EngineRules.always(EngineRules.put("a", "1")));
        List<WatchEvent> witness = new CopyOnWriteArrayList<>();
        Watch third = other.watch(ALL, 0, witness::add);
        await().until(() -> !changes(witness).isEmpty());
        assertThat(changes(events)).isEmpty();
        cut.heal();
        await().until(() -> changes(events).equals(List.of(revision)));

        cut.cut(Cut.FAIL);
        assertThat(events.get(events.size() - 1)).isInstanceOf(WatchEvent.Lost.class);
        List<WatchEvent> late = new CopyOnWriteArrayList<>();
        Watch refused = cut.watch(ALL, revision, late::add);
        assertThat(late).singleElement().isInstanceOf(WatchEvent.Lost.class);
        List.of(watch, third, refused).forEach(Watch::close);
    }

    @Test
    void aLeaseOfWhoIsCutOffEnds() {
        FaultEngine cut = (FaultEngine) engines().shared();
        Engine other = engines().shared();
        Lease lease = get(cut.lease(Duration.ofSeconds(10)));
        apply(cut, EngineRules.always(Change.put(EngineRules.key("a"), Bytes.EMPTY, lease.id())));
        cut.cut(Cut.FAIL);
        assertThat(failure(lease::renew)).isInstanceOf(StoreUnavailableException.class);
        assertThat(failure(lease::revoke)).isInstanceOf(StoreUnavailableException.class);
        assertThat(get(other.remaining(lease.id()))).isPositive();
        engines().kit().passTime(Duration.ofSeconds(10));
        assertThat(read(other, "a")).isEmpty();
    }

    @Test
    void aCrashOfOneUserLeavesTheOthersAlone() {
        FaultEngine dead = (FaultEngine) engines().shared();
        Engine other = engines().shared();
        List<WatchEvent> events = new CopyOnWriteArrayList<>();
        Watch watch = dead.watch(ALL, get(dead.scan(ALL, 1)).revision(), events::add);
        apply(dead, EngineRules.always(EngineRules.put("a", "1")));
        dead.crash();
        int heard = events.size();
        apply(other, EngineRules.always(EngineRules.put("b", "1")));
        assertThat(scan(other, ALL, 10)).hasSize(2);
        assertThat(events).hasSize(heard);
        watch.close();
    }

    private static List<Long> changes(List<WatchEvent> events) {
        return events.stream()
                .filter(WatchEvent.Changed.class::isInstance)
                .map(event -> ((WatchEvent.Changed) event).revision())
                .toList();
    }
}
