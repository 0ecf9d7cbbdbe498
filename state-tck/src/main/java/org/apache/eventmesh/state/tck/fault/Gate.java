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
package org.apache.eventmesh.state.tck.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/** What lies between a user and the engine: open, cut, or gone with the user. */
final class Gate {
    private enum State {
        OPEN,
        FAILING,
        HANGING,
        CRASHED
    }

    /** A call that was made while nothing got through. */
    private record Hung(Runnable call, Consumer<RuntimeException> refuse) {}

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private State state = State.OPEN;
    private List<Hung> hung = new ArrayList<>();

    /** Of one that crashed: what nobody is told any more, until it is buried. */
    private List<Consumer<RuntimeException>> unanswered = new ArrayList<>();

    private boolean buried;
    private int inside;

    /** Makes a call that answers with one stage, or keeps it, or refuses it. */
    <T> CompletionStage<T> pass(Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        pass(() -> answer(call.get(), answer), answer::completeExceptionally);
        return answer;
    }

    /**
     * Makes a call, or keeps it, or refuses it.
     *
     * @param call hands its stages to {@link #answer(CompletionStage, CompletableFuture)}
     */
    void pass(Runnable call, Consumer<RuntimeException> refuse) {
        State now = enter(new Hung(call, refuse));
        if (now == State.CRASHED) {
            leaveUnanswered(refuse);
        } else if (now == State.FAILING) {
            refuse.accept(new StoreUnavailableException("cut off by the test; nothing was applied, try again"));
        } else if (now == State.OPEN) {
            try {
                call.run();
            } catch (RuntimeException e) {
                refuse.accept(e);
            } finally {
                leave();
            }
        }
    }

    private synchronized State enter(Hung call) {
        if (state == State.OPEN) {
            inside++;
        } else if (state == State.HANGING) {
            hung.add(call);
        }
        return state;
    }

    private synchronized void leave() {
        inside--;
        notifyAll();
    }

    /** Brings an answer back through the gate. */
    <T> void answer(CompletionStage<T> from, CompletableFuture<T> to) {
        synchronized (this) {
            inside++;
        }
        CompletionStage<T> unused = from.whenComplete((value, failure) -> {
            Runnable tell = () -> {
                if (failure == null) {
                    to.complete(value);
                } else {
                    to.completeExceptionally(failure);
                }
            };
            if (comesBack(tell)) {
                tell.run();
            } else if (isCrashed()) {
                leaveUnanswered(refused -> tell.run());
            }
            leave();
        });
    }

    private synchronized boolean comesBack(Runnable tell) {
        if (state == State.HANGING) {
            hung.add(new Hung(tell, refused -> tell.run()));
        }
        return state == State.OPEN || state == State.FAILING;
    }

    synchronized boolean isOpen() {
        return state == State.OPEN;
    }

    synchronized boolean letsEventsThrough() {
        return state == State.OPEN || state == State.FAILING;
    }

    synchronized boolean isCrashed() {
        return state == State.CRASHED;
    }

    synchronized void cut(Cut how) {
        if (state != State.CRASHED) {
            state = how == Cut.FAIL ? State.FAILING : State.HANGING;
        }
    }

    /** What hung arrives now, in the order of its calls. */
    void heal() {
        for (Hung call : reopen()) {
            pass(call.call(), call.refuse());
        }
    }

    /** What hangs is refused; later calls reach the engine, which is closed. */
    void close() {
        for (Hung call : reopen()) {
            call.refuse().accept(new StoreClosedException("closed while it hung; nothing was applied"));
        }
    }

    private synchronized List<Hung> reopen() {
        if (state == State.CRASHED) {
            return List.of();
        }
        state = State.OPEN;
        List<Hung> waited = hung;
        hung = new ArrayList<>();
        return waited;
    }

    private void leaveUnanswered(Consumer<RuntimeException> refuse) {
        synchronized (this) {
            if (!buried) {
                unanswered.add(refuse);
                return;
            }
        }
        refuse.accept(buried());
    }

    private static StoreClosedException buried() {
        return new StoreClosedException("crashed by the test, which is over; open it again");
    }

    /** Answers everything that a crash left without an answer, so that whoever waits comes to an end. */
    void bury() {
        List<Consumer<RuntimeException>> left;
        synchronized (this) {
            buried = true;
            left = unanswered;
            unanswered = new ArrayList<>();
        }
        left.forEach(refuse -> refuse.accept(buried()));
    }

    /** For ever; returns when nothing of what was let through before is under way any more. */
    synchronized void crash() {
        state = State.CRASHED;
        hung.forEach(call -> unanswered.add(call.refuse()));
        hung.clear();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (inside > 0) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError(inside + " calls are still in the engine after " + PATIENCE);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while a crash waited for calls to end", e);
            }
        }
    }
}
