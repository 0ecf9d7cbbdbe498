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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Deletes the keys of ended leases. Many leases may end at one moment, after a pause for example: what comes while the
 * engine is busy goes to it together.
 */
final class LeasedKeyDeletes {
    /** One lease's part of a batch. */
    private record Request(Map<Bytes, Long> keys, CompletableFuture<Void> done) {}

    private final Function<List<Commit>, List<CompletionStage<CommitResult>>> commit;
    private final Executor executor;
    private List<Request> waiting = new ArrayList<>();
    private boolean handingOver;

    /** @param commit to the engine; called on the executor, by one thread at a time */
    LeasedKeyDeletes(Function<List<Commit>, List<CompletionStage<CommitResult>>> commit, Executor executor) {
        this.commit = commit;
        this.executor = executor;
    }

    /**
     * Deletes each key that still has its revision; never on the calling thread. The stage completes when all are
     * decided, and fails when one cannot be.
     */
    CompletionStage<Void> delete(Map<Bytes, Long> keys) {
        Request request = new Request(keys, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(request);
            if (handingOver) {
                return request.done();
            }
            handingOver = true;
        }
        try {
            executor.execute(this::handOver);
        } catch (RuntimeException | Error e) {
            // without a thread nothing of it is handed over; whoever asked asks again
            takeBack().forEach(refused -> refused.done().completeExceptionally(e));
        }
        return request.done();
    }

    private void handOver() {
        for (List<Request> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                handOver(batch);
            } catch (RuntimeException | Error e) {
                // an Error too: what was not decided is asked for again, and what comes later must not wait behind it
                batch.forEach(request -> request.done().completeExceptionally(e));
            }
        }
    }

    private void handOver(List<Request> batch) {
        List<Commit> deletes = new ArrayList<>();
        batch.forEach(request -> request.keys()
                .forEach((key, revision) ->
                        deletes.add(new Commit(List.of(new Condition(key, revision)), List.of(Change.delete(key))))));
        List<CompletionStage<CommitResult>> fates = commit.apply(deletes);
        int first = 0;
        for (Request request : batch) {
            int next = first + request.keys().size();
            settle(request, fates.subList(first, next));
            first = next;
        }
    }

    private synchronized List<Request> next() {
        List<Request> batch = waiting;
        waiting = new ArrayList<>();
        handingOver = !batch.isEmpty();
        return batch;
    }

    private synchronized List<Request> takeBack() {
        List<Request> refused = waiting;
        waiting = new ArrayList<>();
        handingOver = false;
        return refused;
    }

    private static void settle(Request request, List<CompletionStage<CommitResult>> fates) {
        CompletableFuture<?>[] all =
                fates.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new);
        CompletionStage<Void> unused = CompletableFuture.allOf(all).whenComplete((done, failure) -> {
            if (failure == null) {
                request.done().complete(null);
            } else {
                request.done().completeExceptionally(failure);
            }
        });
    }
}
