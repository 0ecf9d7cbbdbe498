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
package org.apache.eventmesh.state.core.commit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation from the call to the answer: it has an answer by its deadline, whatever the backend does, and the first
 * answer stays. Tells the store listener of what is slow, failed or unknown.
 */
public final class Ask<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Ask.class);

    /** An operation is slow when it takes longer than this part of its deadline. */
    private static final int SLOW_PART = 10;

    private final Operation operation;
    private final Backend backend;
    private final Withdrawable work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final AtomicBoolean answered = new AtomicBoolean();
    private final long started;
    private volatile Deadlines.@Nullable Scheduled deadline;

    Ask(Operation operation, Backend backend, Withdrawable work) {
        this.operation = operation;
        this.backend = backend;
        this.work = work;
        this.started = backend.deadlines().now();
    }

    void start() {
        Deadlines.Scheduled scheduled =
                backend.deadlines().after(backend.deadlines().perOperation(), this::expire);
        deadline = scheduled;
        if (answered()) {
            scheduled.cancel();
        }
    }

    public Operation operation() {
        return operation;
    }

    /** For the caller: completes on the callback executor, and whoever cancels what he makes of it changes nothing. */
    public CompletionStage<T> stage() {
        return answer.minimalCompletionStage();
    }

    /** Whether there is an answer: then nobody waits for more work. */
    public boolean answered() {
        return answered.get();
    }

    /** Gives the answer; does nothing when there is one. */
    public void answer(T value) {
        if (answered.compareAndSet(false, true)) {
            try {
                end();
            } finally {
                backend.callbacks().run(() -> answer.complete(value));
            }
        }
    }

    /** Fails; does nothing when there is an answer. What is not a failure of a store is a bug and logged. */
    public void fail(Throwable failure) {
        if (answered.compareAndSet(false, true)) {
            Throwable told = failure;
            try {
                told = unwrapped(failure);
                if (told instanceof StateStoreException why) {
                    told = operation.explain(why, backend.name());
                }
            } finally {
                Throwable last = told;
                try {
                    end();
                    report(last);
                } finally {
                    // whatever happened on the way: nobody else will complete it
                    backend.callbacks().run(() -> answer.completeExceptionally(last));
                }
            }
        }
    }

    /** What is asked cannot be had here, whatever happens: no failure of the store, and no bug. */
    public void refuse(UnsupportedOperationException why) {
        if (answered.compareAndSet(false, true)) {
            try {
                end();
            } finally {
                backend.callbacks().run(() -> answer.completeExceptionally(why));
            }
        }
    }

    private void report(Throwable told) {
        if (told instanceof StateStoreException explained) {
            tell(explained);
        } else {
            LOG.error("{} met a bug", operation, told);
        }
    }

    /** Gives what a stage completed with. */
    void complete(T value, @Nullable Throwable failure) {
        if (failure == null) {
            answer(value);
        } else {
            fail(failure);
        }
    }

    /** The store set closes: what the engine has not been asked yet is told now. */
    void closeUnlessHandedOver() {
        if (!answered() && work.withdraw()) {
            fail(notBegun());
        }
    }

    private static StateStoreException notBegun() {
        return new StoreClosedException("the store set was closed; nothing was applied, open it again");
    }

    /** The store set closes: whoever still waits is told now. */
    void close() {
        if (!answered()) {
            fail(
                    work.withdraw()
                            ? notBegun()
                            : new OutcomeUnknownException(
                                    "the store set was closed before the backend had answered; ask again when it is open"));
        }
    }

    private void expire() {
        if (!answered()) {
            StateStoreException why;
            try {
                why = work.withdraw() ? notInTime() : unknown();
            } catch (RuntimeException | Error e) {
                // no other deadline comes
                why = new OutcomeUnknownException(
                        "no answer came in time, and to find out why failed; call again with the same arguments", e);
            }
            fail(why);
        }
    }

    private StateStoreException notInTime() {
        return new StoreUnavailableException("no answer within "
                + backend.deadlines().perOperation() + "; nothing was applied. " + backend.advice());
    }

    private StateStoreException unknown() {
        return new OutcomeUnknownException("the write was handed over, and no answer came within "
                + backend.deadlines().perOperation() + "; it may be applied yet. Call again with the same arguments. "
                + backend.advice());
    }

    private void end() {
        Deadlines.Scheduled scheduled = deadline;
        if (scheduled != null) {
            scheduled.cancel();
        }
        backend.ended(this);
        long took = backend.deadlines().now() - started;
        if (took > backend.deadlines().perOperation().toNanos() / SLOW_PART) {
            backend.callbacks().tell(to -> to.slow(operation.store(), operation.name(), Duration.ofNanos(took)));
        }
    }

    private void tell(StateStoreException failure) {
        if (failure instanceof OutcomeUnknownException) {
            backend.callbacks().tell(to -> to.unknown(operation.store(), operation.name()));
        }
        backend.callbacks().tell(to -> to.failed(operation.store(), operation.name(), failure));
    }

    /** What went wrong, without what stages put around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? unwrapped(cause) : failure;
    }
}
