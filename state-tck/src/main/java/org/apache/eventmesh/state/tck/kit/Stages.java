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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.result.Await;

/** Waiting for stages in real time: the ticker of the tests stands still, so a store's deadline cannot end a wait. */
public final class Stages {
    /** Far above what anything takes on a busy machine, far below what a person waits for. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private Stages() {}

    /**
     * The value, or the store's own failure.
     *
     * @throws AssertionError when the stage does not complete
     */
    public static <T> T get(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("the stage has not completed within " + PATIENCE, late);
        } catch (ExecutionException failed) {
            // the form that callers use gives the failure below
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a stage", stopped);
        }
        return Await.result(future);
    }
}
