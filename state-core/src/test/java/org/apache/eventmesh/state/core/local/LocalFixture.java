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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** What the tests of this package share: a ticker to turn, and short words for commits. */
final class LocalFixture {
    static final KeyRange ALL = new KeyRange(Bytes.EMPTY, Bytes.utf8("~"));

    final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    EngineConfig config(String uri) {
        return new EngineConfig(
                uri, Map.of(), Duration.ofSeconds(20), InstantSource.system(), now::get, EngineListener.NONE);
    }

    SingleProcessEngine over(Engine engine) {
        return SingleProcessEngine.open(engine, config("stub:"), LocalRanges.ANYTHING);
    }

    void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    static Commit commit(Change... changes) {
        return new Commit(List.of(), List.of(changes));
    }

    static CompletionStage<CommitResult> start(Engine engine, Change... changes) {
        return engine.commit(List.of(commit(changes)), Durability.DISK).get(0);
    }

    static CommitResult apply(Engine engine, Change... changes) {
        return Await.result(start(engine, changes));
    }

    static Bytes key(String key) {
        return Bytes.utf8(key);
    }

    static Change put(String key, String value) {
        return Change.put(key(key), Bytes.utf8(value));
    }

    static Change put(String key, String value, long lease) {
        return Change.put(key(key), Bytes.utf8(value), lease);
    }

    static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps the events of a watch. */
    static final class Events implements WatchListener {
        final List<WatchEvent> all = new CopyOnWriteArrayList<>();

        @Override
        public void on(WatchEvent event) {
            all.add(event);
        }

        /** For example {@code [a@1, b@1, -a@2]}. */
        List<String> changes() {
            return all.stream()
                    .filter(WatchEvent.Changed.class::isInstance)
                    .map(WatchEvent.Changed.class::cast)
                    .map(changed -> (changed.now().isPresent() ? "" : "-")
                            + changed.key().toUtf8() + "@" + changed.revision())
                    .toList();
        }

        boolean lost() {
            return all.stream().anyMatch(WatchEvent.Lost.class::isInstance);
        }
    }
}
