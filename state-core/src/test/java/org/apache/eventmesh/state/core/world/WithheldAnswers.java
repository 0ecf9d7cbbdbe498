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
package org.apache.eventmesh.state.core.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;

/** Applies what it is handed, and tells nobody until it is allowed to; or applies nothing, and says so. */
public final class WithheldAnswers extends MapEngine {
    private final List<Runnable> withheld = new ArrayList<>();
    private boolean withholding;
    private boolean away;

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        if (away) {
            return commits.stream()
                    .<CompletionStage<CommitResult>>map(commit ->
                            CompletableFuture.failedStage(new StoreUnavailableException("the map is away; come back")))
                    .toList();
        }
        List<CompletionStage<CommitResult>> fates = super.commit(commits, level);
        return withholding ? fates.stream().map(this::later).toList() : fates;
    }

    public synchronized void withhold() {
        withholding = true;
    }

    /** How many commits were applied without a word. */
    public synchronized int withheld() {
        return withheld.size();
    }

    public synchronized void goAway() {
        away = true;
    }

    public void comeBack() {
        List<Runnable> told;
        synchronized (this) {
            away = false;
            withholding = false;
            told = List.copyOf(withheld);
            withheld.clear();
        }
        told.forEach(Runnable::run);
    }

    private CompletionStage<CommitResult> later(CompletionStage<CommitResult> fate) {
        CompletableFuture<CommitResult> told = new CompletableFuture<>();
        withheld.add(() -> fate.thenAccept(told::complete));
        return told;
    }
}
