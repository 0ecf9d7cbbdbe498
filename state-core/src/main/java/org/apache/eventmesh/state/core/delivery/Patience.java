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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.shard.ShardLoop;

/** How long one waits for something that goes on all the same. */
record Patience(Deadlines deadlines, Duration most) {
    /** @param part of the deadline of a call */
    static Patience of(ShardLoop loop, int part) {
        Deadlines deadlines = loop.backend().deadlines();
        return new Patience(deadlines, deadlines.perOperation().dividedBy(part));
    }

    /** What a stage gives, or something else when it takes too long. */
    <T> CompletionStage<T> until(CompletionStage<T> stage, T otherwise) {
        CompletableFuture<T> first = new CompletableFuture<>();
        var late = deadlines.after(most, () -> first.complete(otherwise));
        stage.whenComplete((value, failure) -> {
            late.cancel();
            if (failure == null) {
                first.complete(value);
            } else {
                first.completeExceptionally(failure);
            }
        });
        return first;
    }
}
