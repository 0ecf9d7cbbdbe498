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

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** An engine over a scripted etcd, and what it told its listener. */
final class ScriptedEngine implements AutoCloseable {
    private static final String URI = "etcd://scripted:1/test";

    final ScriptedEtcd etcd = new ScriptedEtcd();
    final List<String> unknown = new CopyOnWriteArrayList<>();
    final List<EngineHealth> health = new CopyOnWriteArrayList<>();
    final EtcdEngine engine;

    /** As many transactions at once as named. */
    ScriptedEngine(int slots) {
        this(slots, Duration.ofSeconds(10));
    }

    ScriptedEngine(int slots, Duration deadline) {
        Map<String, String> options = Map.of("etcd.commitSlots", Integer.toString(slots));
        engine = open(etcd, options, deadline, new EngineListener() {
            @Override
            public void healthChanged(EngineHealth now) {
                health.add(now);
            }

            @Override
            public void unknown(String what) {
                unknown.add(what);
            }
        });
    }

    static EtcdEngine open(ScriptedEtcd etcd, Map<String, String> options, Duration deadline, EngineListener listener) {
        EngineConfig config =
                new EngineConfig(URI, options, deadline, InstantSource.system(), System::nanoTime, listener);
        return EtcdOpening.open(config, EtcdSettings.of(options), EtcdAddress.parse(URI), settings -> etcd);
    }

    CompletionStage<CommitResult> commit(Commit commit) {
        return engine.commit(List.of(commit), Durability.DISK).get(0);
    }

    /** The answer, which must come soon. */
    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(15, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** What it fails with, which must be soon. */
    static Throwable failure(CompletionStage<?> stage) {
        try {
            Object answer = answer(stage);
            throw new AssertionError("it answered " + answer);
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    static boolean isOpen(CompletionStage<?> stage) {
        return !stage.toCompletableFuture().isDone();
    }

    static Bytes key(String name) {
        return Bytes.utf8(name);
    }

    static Commit put(String key, String value, Condition... conditions) {
        return new Commit(List.of(conditions), List.of(Change.put(key(key), Bytes.utf8(value))));
    }

    /** The value of a key; empty when it is absent. */
    String value(String key) {
        List<String> values = new ArrayList<>();
        answer(engine.read(List.of(key(key))))
                .forEach(entry -> values.add(entry.value().toUtf8()));
        return String.join(",", values);
    }

    @Override
    public void close() {
        engine.close();
    }
}
