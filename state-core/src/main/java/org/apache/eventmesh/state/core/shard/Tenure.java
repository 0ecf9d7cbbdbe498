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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.owner.Validity;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.jspecify.annotations.Nullable;

/** How long a loop may write: whether its token is known to be past, and who is told. For any thread. */
final class Tenure {
    private final Token<Partition> token;
    private final TokenFate fate;
    private final Callbacks callbacks;
    private final Validity validity;
    private final AtomicReference<@Nullable Fenced> past = new AtomicReference<>();

    Tenure(Token<Partition> token, TokenFate fate, Callbacks callbacks) {
        this.token = token;
        this.fate = fate;
        this.callbacks = callbacks;
        this.validity = fate.validity(token);
    }

    /** The answer to everything, once it is known that the token is not current any more. */
    Optional<Fenced> past() {
        return Optional.ofNullable(past.get());
    }

    /** Whether it may write by what this process knows. */
    boolean valid() {
        return past.get() == null && validity.now();
    }

    /** Finds out whether it may. */
    CompletionStage<Validity.Answer> look() {
        return validity.look();
    }

    /** Of the data set that keeps the ownerships. */
    String incarnation() {
        return fate.incarnation();
    }

    /** It is over; {@code false} when that was known. */
    boolean end(Fenced how) {
        return past.compareAndSet(null, how);
    }

    /** Spends the handle; the stage completes on the callback executor when it is spent. */
    CompletionStage<Fenced> spend(Operation asked, Fenced how) {
        CompletableFuture<Fenced> told = new CompletableFuture<>();
        callbacks.run(() -> {
            fate.fenced(asked, token, how);
            told.complete(how);
        });
        return told;
    }

    /** Answers an operation that waits or was decided; the handle is spent before the caller has his answer. */
    <R> void tell(Pending<R> pending, Fenced how) {
        if (pending.waiting() && !pending.take()) {
            return;
        }
        ShardOperation<R> operation = pending.operation();
        Operation asked = new Operation(operation.store(), operation.name(), token.scope());
        callbacks.run(() -> {
            fate.fenced(asked, token, how);
            pending.tell(operation.fenced(how));
        });
    }
}
