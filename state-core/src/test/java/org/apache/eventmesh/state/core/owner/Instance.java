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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.engine.StubbornEngine;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;

/** One process of the mesh on a shared map; it has a ticker of its own, so that it can be paused. */
public final class Instance implements AutoCloseable {
    public static final Duration DEADLINE = Duration.ofSeconds(10);
    public static final Duration LEASE = Duration.ofSeconds(15);
    private static final Operation CLAIM = new Operation(StoreName.DELIVERIES, "claim");

    private final SharedMap map;
    private final AtomicLong paused = new AtomicLong();
    private final ExecutorService callbacks = Executors.newFixedThreadPool(2);
    private final Deadlines deadlines;
    private final StubbornEngine engine;
    private final Backend backend;
    private final Mesh mesh;

    public Instance(SharedMap map) {
        this(map, StoreListener.NONE);
    }

    public Instance(SharedMap map, StoreListener listener) {
        this.map = map;
        this.deadlines = new Deadlines(this::now, DEADLINE);
        this.engine = new StubbornEngine(map.engine());
        this.backend = new Backend(engine, deadlines, new Callbacks(callbacks, listener), 1_000);
        this.mesh = new Mesh(backend, map.clock());
    }

    private long now() {
        long stopped = paused.get();
        return stopped != 0 ? stopped : map.ticker().get();
    }

    /** Its time stands still, while the others' goes on: a process that is stopped. */
    public void pause() {
        paused.set(map.ticker().get() + 1);
    }

    public void wake() {
        paused.set(0);
    }

    public StubbornEngine engine() {
        return engine;
    }

    public Mesh mesh() {
        return mesh;
    }

    public Backend backend() {
        return backend;
    }

    public Member join(String name) {
        return Await.result(mesh.members().join(name, LEASE));
    }

    public <S extends Scope> ClaimResult<Held<S>> claim(Member by, S scope) {
        return Await.result(mesh.claims()
                .as(by, CLAIM, steps -> mesh.claims().claim(steps, by, scope, ClaimStep.none())));
    }

    public <S extends Scope> Held<S> claimed(Member by, S scope) {
        return claim(by, scope).claimed().orElseThrow(() -> new AssertionError("held by another"));
    }

    public <S extends Scope> Held<S> takeOver(Member by, S scope) {
        return Await.result(mesh.claims()
                .as(by, CLAIM, steps -> mesh.claims().takeOver(steps, by, scope, ClaimStep.none())));
    }

    public <S extends Scope> OwnedScope<S> handle(Token<S> token) {
        return new OwnedScope<>(mesh.claims(), StoreName.DELIVERIES, token);
    }

    /** Begins a claim. */
    public <S extends Scope> CompletionStage<ClaimResult<Held<S>>> claiming(Member by, S scope) {
        return mesh.claims().as(by, CLAIM, steps -> mesh.claims().claim(steps, by, scope, ClaimStep.none()));
    }

    /** Writes one key under a token; empty when it was applied. */
    public <S extends Scope> Optional<Fenced> write(Token<S> token) {
        Bytes key = Bytes.utf8("written under a token");
        return Await.result(writing(token, key));
    }

    private <S extends Scope> CompletionStage<Optional<Fenced>> writing(Token<S> token, Bytes key) {
        Operation operation = new Operation(StoreName.DELIVERIES, "write");
        return mesh.claims()
                .<S, Object>write(
                        operation,
                        token,
                        List.of(),
                        (held, seen) ->
                                Decision.write(List.of(held.fence()), List.of(Change.put(key, Bytes.EMPTY)), "written"),
                        fenced -> fenced)
                .thenApply(answer -> answer instanceof Fenced fenced ? Optional.of(fenced) : Optional.empty());
    }

    @Override
    public void close() {
        mesh.close(Duration.ofSeconds(10));
        backend.close(Duration.ofSeconds(10));
        deadlines.close();
        callbacks.shutdown();
    }
}
