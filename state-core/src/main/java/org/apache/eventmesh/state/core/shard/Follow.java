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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;

/**
 * What comes between a decision of a loop and its answer: the steps that are left on the other side, in a set of two
 * backends. They go on when nobody waits for the answer any more.
 *
 * @param <R> the answer
 */
@FunctionalInterface
public interface Follow<R> {
    /** On a thread of the core, when the operation is committed; the stage has the answer. */
    CompletionStage<R> after(ShardOperation<R> operation, R decided);

    /** Nothing is left. */
    static <R> Follow<R> nothing() {
        return (operation, decided) -> CompletableFuture.completedStage(decided);
    }

    /** A failure of what follows, to one who must know that the decision stands. */
    static Throwable failure(Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        return cause instanceof StateStoreException known && known.certainlyNotApplied()
                ? new OutcomeUnknownException(
                        "it is decided, and the rest is finished by itself as soon as the shared backend answers; call"
                                + " again to know: " + known.getMessage(),
                        known)
                : cause;
    }
}
