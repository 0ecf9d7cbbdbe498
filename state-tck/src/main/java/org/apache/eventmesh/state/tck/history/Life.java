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
package org.apache.eventmesh.state.tck.history;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;

/** One life of an instance: it ends with a crash, and then those who wait for an answer never get one. */
final class Life {
    private final Instance instance;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Joins before anything goes wrong. */
    Life(Instance instance) {
        this(instance, Instance.LEASE);
    }

    Life(Instance instance, Duration lease) {
        this.instance = instance;
        instance.member(lease);
    }

    Instance instance() {
        return instance;
    }

    /** How many callers wait for an answer. */
    int waiting() {
        return waiting.get();
    }

    /** Another life has taken its place. */
    void end() {
        ended.complete(null);
    }

    /**
     * Waits for an answer, or for the end of this life.
     *
     * @throws AssertionError when there is neither (G02)
     */
    <T> Answer<T> ask(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        waiting.incrementAndGet();
        try {
            CompletableFuture.anyOf(answer, ended).get(Stages.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            // told below, as callers hear it
        } catch (TimeoutException late) {
            throw new AssertionError("a call has not ended within " + Stages.PATIENCE, late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an answer", stopped);
        } finally {
            waiting.decrementAndGet();
        }
        if (!answer.isDone()) {
            return Answer.lostOne();
        }
        try {
            return Answer.is(Await.result(answer));
        } catch (StateStoreException failure) {
            return Answer.failed(failure);
        }
    }
}
