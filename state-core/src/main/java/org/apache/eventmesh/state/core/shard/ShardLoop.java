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
package org.apache.eventmesh.state.core.shard;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;

/**
 * Decides everything that is written to one partition under one token, one operation after the other, and commits the
 * decisions in batches.
 */
public interface ShardLoop {
    Token<Partition> token();

    /** The engine that holds the shard, and the threads that it works with. */
    Backend backend();

    /** All backends of the store set. */
    Sides sides();

    ShardSettings settings();

    /**
     * Puts an operation behind those that wait. The stage completes on the callback executor, by the deadline, when the
     * decision is durable; it fails with a {@code StateStoreException}.
     */
    default <R> CompletionStage<R> submit(ShardOperation<R> operation) {
        return submit(operation, Follow.nothing());
    }

    /** The same, with what follows before the answer. */
    <R> CompletionStage<R> submit(ShardOperation<R> operation, Follow<R> follow);

    /** The same for a part of a call that has its own way to the caller and its own deadline. */
    <R> Pending<R> enqueue(ShardOperation<R> operation, Pending.Answer<R> answer);

    /** What is committed, at a glance. */
    <T> T look(Function<ShardIndex, T> view);

    /** The answer to everything, once it is known that the token is not current any more. */
    Optional<Fenced> past();

    /** What is outstanding of a settled delivery; empty when nothing is, or it is not known now. */
    Optional<OutstandingRecord> outstanding(long number);

    /** An open delivery that is given up; empty when there is none, or it is not known now. */
    Optional<OpenDelivery> givenUp(long number);

    /** Whether deliveries may be missing here of what stands in the shared backend. */
    Unopened unopened();

    /**
     * A step on the shared backend has found that the token is not current any more.
     *
     * @return completes when the handle is spent, on the callback executor
     */
    CompletionStage<Fenced> fenced(Operation asked, Fenced how);

    /** The watermark as it may be told outside. */
    OptionalLong watermark();

    /** Whether it may write by what this process knows. */
    boolean valid();

    /** The newest revision that this loop has committed; 0 when it has not committed anything since it was loaded. */
    long committed();

    /** Runs it at once; nothing of what is put down in it is taken before all of it is. It must be quick. */
    void together(Runnable enqueues);
}
