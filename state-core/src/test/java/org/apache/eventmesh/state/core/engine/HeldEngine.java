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
package org.apache.eventmesh.state.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.value.Durability;

/** Takes commits and tells their fate when the test says so, as a remote backend does. */
public final class HeldEngine extends MapEngine {
    private final List<Call> calls = new ArrayList<>();
    private boolean holding = true;

    /** One call of commit. */
    public record Call(List<Commit> commits, Durability level, List<CompletableFuture<CommitResult>> fates) {}

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        List<CompletableFuture<CommitResult>> fates = new ArrayList<>();
        commits.forEach(commit -> fates.add(new CompletableFuture<>()));
        Call call = new Call(List.copyOf(commits), level, fates);
        calls.add(call);
        if (!holding) {
            apply(call);
        }
        return List.copyOf(fates);
    }

    /** What was handed over so far. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Applies a call and tells. */
    public void apply(Call call) {
        for (int i = 0; i < call.commits().size(); i++) {
            call.fates().get(i).complete(apply(call.commits().get(i)));
        }
    }

    /** Applies all that was handed over, and from now on at once. */
    public void release() {
        List<Call> held;
        synchronized (this) {
            holding = false;
            held = calls.stream()
                    .filter(call -> call.fates().stream().anyMatch(fate -> !fate.isDone()))
                    .toList();
        }
        held.forEach(this::apply);
    }
}
