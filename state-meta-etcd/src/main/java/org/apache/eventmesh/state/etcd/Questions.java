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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Calls that may be made twice without harm: reads, and those of leases. One whose answer was lost is made again, of
 * another member, while there is time.
 */
final class Questions implements EtcdLeases.EtcdCalls {
    private static final Duration ONE_TRY = Duration.ofSeconds(3);
    private static final long AGAIN_MILLIS = 100;

    private final Writing writing;
    private final Duration patience;
    private final Set<Question<?>> open = ConcurrentHashMap.newKeySet();

    Questions(Writing writing, Duration patience) {
        this.writing = writing;
        this.patience = patience;
    }

    /**
     * Asks what sees every commit that was completed before.
     *
     * @param header of the answer; it shows whether history was moved back
     * @return fails with {@link EtcdCallException} or {@link StateStoreException}
     */
    <T> CompletionStage<T> ask(EtcdLeases.Call<T> call, Function<T, Header> header) {
        return begin(() -> call.to(writing.client(), ONE_TRY), header);
    }

    @Override
    public <T> CompletionStage<T> send(EtcdLeases.Call<T> call) {
        writing.availability().mustBeOpen();
        return begin(() -> call.to(writing.client(), ONE_TRY), null)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(toCaller(failure)));
    }

    private <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call, @Nullable Function<T, Header> header) {
        Question<T> question = new Question<>(call, header, System.nanoTime() + patience.toNanos());
        open.add(question);
        question.attempt();
        return question.result.whenComplete((answer, failure) -> open.remove(question));
    }

    /** One, as often as it is asked. */
    private final class Question<T> {
        private final Supplier<CompletionStage<T>> call;
        private final @Nullable Function<T, Header> header;
        private final long end;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        Question(Supplier<CompletionStage<T>> call, @Nullable Function<T, Header> header, long end) {
            this.call = call;
            this.header = header;
            this.end = end;
        }

        void attempt() {
            long seen = writing.availability().asking();
            writing.ask(call.get(), answer -> answered(answer, seen), this::failed);
        }

        void fail(StateStoreException why) {
            result.completeExceptionally(why);
        }

        private void answered(T answer, long seen) {
            try {
                if (header != null) {
                    writing.availability().answered(header.apply(answer), seen);
                }
                result.complete(answer);
            } catch (StateStoreException e) {
                result.completeExceptionally(e);
            }
        }

        private void failed(EtcdCallException failure) {
            writing.availability().failed(failure);
            boolean mayWork = failure.failure() == Failure.LOST || failure.failure() == Failure.NOT_SENT;
            if (mayWork && writing.availability().patient() && end - System.nanoTime() > 0) {
                writing.later(AGAIN_MILLIS, this::attempt);
            } else {
                result.completeExceptionally(failure);
            }
        }
    }

    /** What has no answer yet fails. */
    void close() {
        open.forEach(question -> question.fail(writing.availability().closedNow()));
    }

    /** What a caller of the engine is told. */
    static Throwable toCaller(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StateStoreException ? cause : Explained.notRead(Explained.call(cause));
    }
}
