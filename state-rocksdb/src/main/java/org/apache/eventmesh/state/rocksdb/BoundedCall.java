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
package org.apache.eventmesh.state.rocksdb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/** A native call has no deadline: it runs on a thread that can be left behind with it. */
final class BoundedCall {
    private BoundedCall() {}

    /**
     * The result, or the call's own failure.
     *
     * @param late takes a result that came after the deadline, to give back what it holds
     * @throws StoreUnavailableException when it did not come in time, or the caller was interrupted, which he still is
     */
    static <T> T within(Duration deadline, String what, Supplier<T> call, Consumer<T> late) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        T value = call.get();
                        if (!result.complete(value)) {
                            late.accept(value);
                        }
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                },
                "eventmesh-state-call " + what);
        thread.setDaemon(true);
        thread.start();
        StoreUnavailableException tooLate = new StoreUnavailableException("cannot " + what + " within "
                + deadline.toMillis() + " ms: look for a slow or stuck disk, or allow a longer deadline");
        try {
            return result.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return abandon(result, tooLate);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return abandon(
                    result,
                    new StoreUnavailableException(
                            "cannot " + what
                                    + ": the calling thread was interrupted, and what was begun is given back; try again from a"
                                    + " thread that is not",
                            e));
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        }
    }

    /** Unless it came in the last moment. */
    private static <T> T abandon(CompletableFuture<T> result, StoreUnavailableException tooLate) {
        result.completeExceptionally(tooLate);
        try {
            return result.join();
        } catch (java.util.concurrent.CompletionException e) {
            throw unchecked(e.getCause());
        }
    }

    private static RuntimeException unchecked(@org.jspecify.annotations.Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }
}
