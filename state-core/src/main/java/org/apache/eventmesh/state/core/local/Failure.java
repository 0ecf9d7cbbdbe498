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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.failure.StateStoreException;

/** What a failed stage means. */
final class Failure {
    private Failure() {}

    static boolean isCertainlyNotApplied(Throwable failure) {
        return cause(failure) instanceof StateStoreException known && known.certainlyNotApplied();
    }

    /** The failure itself, without what stages wrap around it. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The stage of a call; a failed one if the call throws. */
    static <T> CompletionStage<T> caught(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            // an Error too: whoever follows the stage would wait for ever
            return CompletableFuture.failedStage(e);
        }
    }
}
