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

import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Token;
import org.jspecify.annotations.Nullable;

/** What went wrong in a loop, as those are told who wait. */
final class Failures {
    private Failures() {}

    static void all(List<Pending<?>> operations, Throwable failure) {
        for (Pending<?> pending : operations) {
            if (pending.take()) {
                pending.fail(failure);
            }
        }
    }

    /** @param failure why the ownership could not be read; null when the lease has ended */
    static Throwable notValid(Token<Partition> token, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = unwrapped(failure);
            if (cause instanceof StoreClosedException) {
                return cause;
            }
            return new StoreUnavailableException(
                    "it is not certain that " + token.holder() + " still owns the partition; nothing was applied, try"
                            + " again when the shared backend answers: " + cause.getMessage(),
                    cause);
        }
        return new StoreUnavailableException("the lease of " + token.holder()
                + " has ended and is not renewed yet, so another may own the partition; nothing was applied, try again"
                + " when the shared backend answers");
    }

    static Throwable notLoaded(Throwable failure) {
        Throwable cause = unwrapped(failure);
        return cause instanceof OutcomeUnknownException
                ? new StoreUnavailableException(
                        "the shard could not be loaded; nothing was applied, try again: " + cause.getMessage(), cause)
                : cause;
    }

    /** The condition that did not hold. */
    static Condition broken(List<Condition> conditions, List<Entry> current) {
        for (Condition condition : conditions) {
            long present = current.stream()
                    .filter(entry -> entry.key().equals(condition.key()))
                    .mapToLong(Entry::revision)
                    .findFirst()
                    .orElse(Condition.ABSENT);
            if (present != condition.revision()) {
                return condition;
            }
        }
        return conditions.get(0);
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? unwrapped(cause) : failure;
    }
}
