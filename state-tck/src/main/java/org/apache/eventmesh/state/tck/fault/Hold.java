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
package org.apache.eventmesh.state.tck.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.CommitResult;

/**
 * Commits that a test holds: either before they reach the engine ({@link FaultEngine#hold}), or on the way back, when
 * they are applied and nobody knows ({@link FaultEngine#loseAnswer}). Safe for any number of threads.
 */
public final class Hold {
    private record Held(
            Supplier<CompletionStage<CommitResult>> goOn,
            CompletableFuture<CommitResult> answer,
            RuntimeException atClose) {
        void release() {
            goOn.get().whenComplete((result, failure) -> {
                if (failure == null) {
                    answer.complete(result);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }
    }

    private final List<Held> held = new ArrayList<>();
    private boolean open;

    Hold() {}

    /** How many are held now; wait for it, as they arrive on other threads. */
    public synchronized int size() {
        return held.size();
    }

    /** Lets all go on, and those that come later pass. */
    public void release() {
        List<Held> released;
        synchronized (this) {
            open = true;
            released = List.copyOf(held);
            held.clear();
        }
        released.forEach(Held::release);
    }

    CompletionStage<CommitResult> take(Supplier<CompletionStage<CommitResult>> goOn, RuntimeException atClose) {
        synchronized (this) {
            if (!open) {
                Held taken = new Held(goOn, new CompletableFuture<>(), atClose);
                held.add(taken);
                return taken.answer();
            }
        }
        return goOn.get();
    }

    /** Nothing goes on any more; whether anybody hears of it is the caller's choice. */
    void drop(boolean answer) {
        List<Held> dropped;
        synchronized (this) {
            dropped = List.copyOf(held);
            if (answer) {
                held.clear();
            }
        }
        if (answer) {
            dropped.forEach(each -> each.answer().completeExceptionally(each.atClose()));
        }
    }
}
