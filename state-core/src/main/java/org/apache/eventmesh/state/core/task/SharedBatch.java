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
package org.apache.eventmesh.state.core.task;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.task.CreateResult;

/** Many creations over two backends, each atomic by itself; they wait together, so that they share commits. */
final class SharedBatch {
    private SharedBatch() {}

    static CompletionStage<List<Outcome<CreateResult>>> run(
            ShardLoop loop, List<Supplier<CompletionStage<CreateResult>>> creations) {
        int limit = loop.settings().limits().batch();
        if (creations.size() > limit) {
            StateStoreException tooMany = new LimitExceededException("Creating tasks in "
                    + loop.token().scope() + ": the batch has " + creations.size() + " elements, the limit is " + limit
                    + "; nothing was applied, ask in smaller batches");
            List<Outcome<CreateResult>> all = new ArrayList<>();
            creations.forEach(each -> all.add(new Outcome.Failed<>(tooMany)));
            CompletableFuture<List<Outcome<CreateResult>>> told = new CompletableFuture<>();
            loop.backend().callbacks().run(() -> told.complete(List.copyOf(all)));
            return told.minimalCompletionStage();
        }
        List<CompletableFuture<Outcome<CreateResult>>> begun = creations.stream()
                .map(creation -> creation.get().handle(SharedBatch::outcome).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(begun.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> begun.stream().map(CompletableFuture::join).toList())
                .minimalCompletionStage();
    }

    /** A closed store set, and a bug, fail the whole; any other failure is of its element. */
    private static Outcome<CreateResult> outcome(CreateResult result, Throwable failure) {
        if (failure == null) {
            return new Outcome.Done<>(result);
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StateStoreException known && !(cause instanceof StoreClosedException)) {
            return new Outcome.Failed<>(known);
        }
        throw new CompletionException(cause);
    }
}
