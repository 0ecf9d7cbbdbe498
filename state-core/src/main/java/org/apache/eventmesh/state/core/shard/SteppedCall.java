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

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Withdrawable;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * One call that may need several commits: its operations run one after the other, and the call has one deadline. Its
 * methods run on the loop's thread, but {@link #withdraw}.
 *
 * @param <R> the answer to the call
 */
public abstract class SteppedCall<R> implements Withdrawable {
    private final ShardLoop loop;
    private final Operation operation;

    /** Guarded by this, as all below. */
    private @Nullable Ask<R> ask;

    private @Nullable Pending<?> step;
    private boolean over;
    private boolean someApplied;

    protected SteppedCall(ShardLoop loop, Operation operation) {
        this.loop = loop;
        this.operation = operation;
    }

    /** Begins with the first step. */
    public final CompletionStage<R> start() {
        Ask<R> made = loop.backend().ask(operation, this);
        synchronized (this) {
            ask = made;
        }
        if (!made.answered()) {
            first();
        }
        return made.stage();
    }

    protected abstract void first();

    /**
     * The answer when a step failed or the time is over: what the steps before have done stays. On any thread.
     *
     * @param why what became of the last step
     * @throws StateStoreException {@code why}, when there is no answer but the failure
     */
    protected R ended(StateStoreException why) {
        throw why;
    }

    /** A failure that stands for itself, in an answer: says what was asked, of what. */
    protected final StateStoreException explained(StateStoreException why) {
        return operation.explain(why, loop.backend().name());
    }

    protected final Operation operation() {
        return operation;
    }

    protected final ShardLoop loop() {
        return loop;
    }

    /** Runs the next step; {@code then} gets its answer. */
    protected final <S> void run(ShardOperation<S> next, Consumer<S> then) {
        synchronized (this) {
            if (over) {
                return;
            }
            step = loop.enqueue(next, new Pending.Answer<>() {
                @Override
                public void done(S result) {
                    guarded(() -> then.accept(result));
                }

                @Override
                public void failed(Throwable failure) {
                    end(failure);
                }
            });
        }
    }

    /** A step that goes another way than through the loop failed. */
    protected final void fail(Throwable failure) {
        end(Failures.unwrapped(failure));
    }

    /** A step has changed something. */
    protected final synchronized void applied() {
        someApplied = true;
    }

    protected final void answer(R result) {
        Ask<R> to;
        synchronized (this) {
            over = true;
            to = ask;
        }
        if (to != null) {
            to.answer(result);
        }
    }

    @Override
    public final boolean withdraw() {
        boolean nothing;
        boolean some;
        Ask<R> to;
        synchronized (this) {
            over = true;
            nothing = step == null || step.withdraw();
            some = someApplied;
            to = ask;
        }
        if (to != null && !loop.backend().closed()) {
            try {
                to.answer(ended(late(nothing)));
            } catch (StateStoreException none) {
                return nothing && !some;
            }
        }
        return nothing && !some;
    }

    private static StateStoreException late(boolean nothing) {
        return nothing
                ? new StoreUnavailableException("no answer in time; the rest was not applied")
                : new OutcomeUnknownException("no answer in time; the rest may be applied yet. Call again");
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            end(e);
        }
    }

    private void end(Throwable failure) {
        Ask<R> to;
        boolean some;
        synchronized (this) {
            over = true;
            to = ask;
            some = someApplied;
        }
        if (to == null) {
            return;
        }
        if (!(failure instanceof StateStoreException known)) {
            to.fail(failure);
            return;
        }
        try {
            to.answer(ended(known));
        } catch (StateStoreException none) {
            to.fail(
                    some && none.certainlyNotApplied()
                            ? new OutcomeUnknownException(
                                    "part of it was applied, then it failed; call again: " + none.getMessage(), none)
                            : none);
        }
    }
}
