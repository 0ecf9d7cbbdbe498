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

import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * Writes that no owner's loop serialises: read, decide, commit if what was relied on is unchanged, otherwise decide again
 * with what is there now; until the deadline.
 */
public final class Transactions {
    private final Backend backend;

    public Transactions(Backend backend) {
        this.backend = backend;
    }

    /** Synced before the stage completes. */
    public <R> CompletionStage<R> run(Operation operation, Collection<Bytes> keys, Decider<R> decider) {
        return run(operation, Durability.DISK, keys, decider);
    }

    /**
     * Starts one; returns at once.
     *
     * @param level what a write has survived when the stage completes
     * @param keys what the decider needs first
     */
    public <R> CompletionStage<R> run(
            Operation operation, Durability level, Collection<Bytes> keys, Decider<R> decider) {
        Transaction<R> transaction = new Transaction<>(backend, operation, level, decider);
        Ask<R> ask = backend.ask(operation, transaction);
        if (!ask.answered()) {
            transaction.start(keys).whenComplete(ask::complete);
        }
        return ask.stage();
    }
}
