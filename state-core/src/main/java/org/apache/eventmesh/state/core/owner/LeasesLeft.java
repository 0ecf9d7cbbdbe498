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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.value.Bytes;

/** What is left of the leases of some holders. */
final class LeasesLeft {
    private final Map<Bytes, Entry> records = new ConcurrentHashMap<>();
    private final Map<Long, Duration> left = new ConcurrentHashMap<>();

    /** A scope and who holds it. */
    record Owned(Scope scope, HolderRecord holder) {
        Bytes leaseKey() {
            return HolderLease.key(scope, holder);
        }
    }

    private LeasesLeft() {}

    static CompletionStage<LeasesLeft> of(Backend backend, Collection<Owned> owned) {
        LeasesLeft leases = new LeasesLeft();
        Set<Bytes> keys = new HashSet<>();
        owned.forEach(each -> keys.add(each.leaseKey()));
        return backend.read(keys).thenCompose(found -> {
            found.forEach(entry -> leases.records.put(entry.key(), entry));
            return leases.ask(backend, owned);
        });
    }

    /**
     * Zero when the lease has ended.
     *
     * @throws CorruptStateException when its record cannot be decoded
     */
    Duration of(Owned owned) {
        OptionalLong id = id(owned);
        return id.isPresent() ? left.getOrDefault(id.getAsLong(), Duration.ZERO) : Duration.ZERO;
    }

    /** Many scopes share a lease: each is asked for once. */
    private CompletionStage<LeasesLeft> ask(Backend backend, Collection<Owned> owned) {
        Set<Long> ids = new HashSet<>();
        for (Owned each : owned) {
            try {
                id(each).ifPresent(ids::add);
            } catch (CorruptStateException | IncompatibleFormatException e) {
                // whoever asks for this one is told
            }
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (long id : ids) {
            asked.add(backend.call(engine -> engine.remaining(id))
                    .thenAccept(remaining -> left.put(id, remaining))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> this);
    }

    private OptionalLong id(Owned owned) {
        return HolderLease.id(owned.scope(), owned.holder(), Optional.ofNullable(records.get(owned.leaseKey())));
    }
}
