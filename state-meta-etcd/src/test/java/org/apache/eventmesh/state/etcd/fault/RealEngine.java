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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.etcd.EtcdEngineProvider;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** An engine in the time of this machine, and short words for what the tests of faults do with it. */
final class RealEngine implements AutoCloseable {
    /** Of every call. */
    static final Duration DEADLINE = Duration.ofSeconds(15);

    private static final KeyRange ALL = new KeyRange(Bytes.of((byte) 0x20), Bytes.of((byte) 0x21));
    private static final long LONGEST_FAULT_SECONDS = 60;

    private final Engine engine;
    private final AtomicInteger unknown;

    private RealEngine(Engine engine, AtomicInteger unknown) {
        this.engine = engine;
        this.unknown = unknown;
    }

    static RealEngine open(EtcdCluster cluster) {
        return open(cluster, Map.of());
    }

    static RealEngine open(EtcdCluster cluster, Map<String, String> options) {
        return open(cluster.uri("faults"), options, DEADLINE);
    }

    static RealEngine open(String uri, Map<String, String> options, Duration deadline) {
        AtomicInteger unknown = new AtomicInteger();
        EngineListener counting = new EngineListener() {
            @Override
            public void unknown(String what) {
                unknown.incrementAndGet();
            }
        };
        Engine opened = new EtcdEngineProvider()
                .open(new EngineConfig(uri, options, deadline, InstantSource.system(), System::nanoTime, counting));
        return new RealEngine(opened, unknown);
    }

    Engine engine() {
        return engine;
    }

    /** How many transactions lost their answer so far. */
    int unknown() {
        return unknown.get();
    }

    static Bytes key(String name) {
        return Bytes.utf8(" " + name);
    }

    CompletionStage<CommitResult> commit(Commit commit) {
        return engine.commit(List.of(commit), Durability.DISK).get(0);
    }

    CompletionStage<CommitResult> put(String key, Bytes value) {
        return commit(new Commit(List.of(), List.of(Change.put(key(key), value))));
    }

    CompletionStage<CommitResult> put(String key, String value) {
        return put(key, Bytes.utf8(value));
    }

    CompletionStage<CommitResult> delete(String key) {
        return commit(new Commit(List.of(), List.of(Change.delete(key(key)))));
    }

    Optional<Entry> entry(String key) {
        return Stages.get(engine.read(List.of(key(key)))).stream().findFirst();
    }

    Optional<String> text(String key) {
        return entry(key).map(entry -> entry.value().toUtf8());
    }

    /** The answer, which an engine may keep back until a server that is away has come back: longer than others wait. */
    private static CommitResult fateOf(CompletionStage<CommitResult> stage) {
        try {
            stage.toCompletableFuture()
                    .handle((result, failure) -> result)
                    .get(LONGEST_FAULT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException late) {
            throw new AssertionError("a commit has no answer within " + LONGEST_FAULT_SECONDS + " s", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a commit", stopped);
        }
        return Stages.get(stage);
    }

    /** Hears every change of a test from now on. */
    Watch watch(WatchListener listener) {
        return engine.watch(ALL, Stages.get(engine.scan(ALL, 1)).revision(), listener);
    }

    /** The values that a key had, as heard. */
    static List<String> changes(List<WatchEvent> heard, String key) {
        return heard.stream()
                .filter(WatchEvent.Changed.class::isInstance)
                .map(WatchEvent.Changed.class::cast)
                .filter(change -> change.key().equals(key(key)))
                .map(change -> change.now().map(now -> now.value().toUtf8()).orElse("deleted"))
                .toList();
    }

    /** Waits until a write goes through again. */
    void awaitWritable() {
        Eventually.holds(() -> {
            try {
                Stages.get(put("writable", "yes"));
            } catch (StoreUnavailableException notYet) {
                throw new AssertionError("not yet", notYet);
            }
        });
    }

    /** Adds one to a counter, exactly once, whatever happens on the way. */
    void increment(String counter) {
        while (true) {
            try {
                Optional<Entry> before = entry(counter);
                long next = before.map(entry -> Long.parseLong(entry.value().toUtf8()))
                                .orElse(0L)
                        + 1;
                Condition unchanged = before.map(Condition::unchanged).orElseGet(() -> Condition.absent(key(counter)));
                CommitResult result = fateOf(commit(new Commit(
                        List.of(unchanged), List.of(Change.put(key(counter), Bytes.utf8(String.valueOf(next)))))));
                if (result instanceof CommitResult.Applied) {
                    return;
                }
            } catch (StoreUnavailableException nothingWasApplied) {
                // so it may be done again
            }
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
