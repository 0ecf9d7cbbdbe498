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

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.commit.Withdrawable;
import org.jspecify.annotations.Nullable;

/** An operation in the loop, until it is answered. */
public final class Pending<R> implements Withdrawable {
    private static final int WAITING = 0;
    private static final int TAKEN = 1;
    private static final int WITHDRAWN = 2;

    private final ShardOperation<R> operation;
    private final Inbox inbox;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private volatile @Nullable Answer<R> answer;
    private @Nullable R decided;

    /** Who waits for an operation; told on a thread of the core, exactly once, unless it was withdrawn. */
    public interface Answer<R> {
        void done(R result);

        void failed(Throwable failure);
    }

    Pending(ShardOperation<R> operation, Inbox inbox) {
        this.operation = operation;
        this.inbox = inbox;
    }

    void answer(Answer<R> to) {
        answer = to;
    }

    ShardOperation<R> operation() {
        return operation;
    }

    /** Takes it back, if it still waits for its turn. */
    @Override
    public boolean withdraw() {
        if (state.compareAndSet(WAITING, WITHDRAWN)) {
            inbox.withdrawn();
            return true;
        }
        return state.get() == WITHDRAWN;
    }

    boolean waiting() {
        return state.get() == WAITING;
    }

    /** Its turn has come; {@code false} when it was withdrawn. */
    boolean take() {
        return state.compareAndSet(WAITING, TAKEN);
    }

    /** Its decision was taken back; it waits again. */
    void giveBack() {
        decided = null;
        state.compareAndSet(TAKEN, WAITING);
    }

    void decide(ShardDraft draft) {
        decided = operation.decide(draft);
    }

    /** Tells what was decided. */
    void tell() {
        R result = decided;
        if (result == null) {
            throw new IllegalStateException(operation.name() + " decided nothing");
        }
        tell(result);
    }

    void tell(R result) {
        Answer<R> to = answer;
        if (to != null) {
            to.done(result);
        }
    }

    void fail(Throwable failure) {
        Answer<R> to = answer;
        if (to != null) {
            to.failed(failure);
        }
    }
}
