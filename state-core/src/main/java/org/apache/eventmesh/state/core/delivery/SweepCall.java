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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.SteppedCall;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.owner.Fenced;

/** An operation on many deliveries, commit by commit, until none is left. */
final class SweepCall extends SteppedCall<SweepResult> {
    private final SweepStep step;
    private final Supplier<CompletionStage<Optional<Fenced>>> last;
    private long count;

    SweepCall(ShardLoop loop, SweepStep step) {
        this(loop, step, () -> CompletableFuture.completedStage(Optional.empty()));
    }

    /** @param last what is left on the other side, over two backends */
    SweepCall(ShardLoop loop, SweepStep step, Supplier<CompletionStage<Optional<Fenced>>> last) {
        super(loop, new Operation(step.store(), step.name(), loop.token().scope()));
        this.step = step;
        this.last = last;
    }

    @Override
    protected void first() {
        run(step, this::part);
    }

    private void part(SweepPart part) {
        if (part instanceof SweepPart.Lost lost) {
            answer(lost.why());
            return;
        }
        SweepPart.Done done = (SweepPart.Done) part;
        count += done.count();
        applied();
        if (done.more()) {
            first();
        } else {
            last.get().whenComplete((fenced, failure) -> {
                if (failure == null) {
                    answer(fenced.<SweepResult>map(past -> past).orElseGet(() -> new SweepResult.Done(count)));
                } else {
                    fail(Follow.failure(failure));
                }
            });
        }
    }
}
