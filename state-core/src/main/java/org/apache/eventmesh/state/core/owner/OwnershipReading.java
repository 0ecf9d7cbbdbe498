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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.read.Row;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Owner;
import org.apache.eventmesh.state.owner.Ownership;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;

/** Who owns what, as the backend says. */
final class OwnershipReading implements Ownership {
    private final Backend backend;

    OwnershipReading(Backend backend) {
        this.backend = backend;
    }

    @Override
    public <S extends Scope> CompletionStage<Optional<Owner<S>>> owner(S scope) {
        Check.given("scope", scope);
        return Steps.run(
                backend,
                Members.operation("owner", scope),
                steps -> steps.read(List.of(OwnerKeys.holder(scope)))
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedStage(Optional.empty())
                                : owner(scope, found.get(0)).thenApply(Optional::of)));
    }

    @Override
    public CompletionStage<Page<Owner<?>>> ownedBy(String instance, PageRequest page) {
        Check.given("instance", instance);
        Check.given("page", page);
        // the name is checked as in every holder
        String checked = new Holder(instance, "any").instance();
        return Listing.of("owned by", HeldBy.instance(checked), this::rows)
                .page(backend, Members.operation("ownedBy", instance), page);
    }

    private <S extends Scope> CompletionStage<Owner<S>> owner(S scope, Entry holder) {
        LeasesLeft.Owned owned =
                new LeasesLeft.Owned(scope, Records.HOLDER.decode(holder).record());
        return LeasesLeft.of(backend, List.of(owned))
                .thenApply(leases -> new Owner<>(token(scope, owned), leases.of(owned)));
    }

    private CompletionStage<List<Row<Owner<?>>>> rows(List<Entry> scanned, Backend from) {
        List<Row<HeldBy>> claims = scanned.stream()
                .map(entry -> Row.of(
                        entry.key(), entry.key(), entry.key().size(), () -> Optional.of(HeldBy.read(entry.key()))))
                .toList();
        Set<Bytes> holderKeys = claims.stream()
                .flatMap(row -> row.item().stream())
                .map(claim -> OwnerKeys.holder(claim.scope()))
                .collect(Collectors.toSet());
        return from.read(holderKeys).thenCompose(found -> {
            Map<Bytes, Entry> holders = found.stream().collect(Collectors.toMap(Entry::key, Function.identity()));
            List<Row<LeasesLeft.Owned>> standing = claims.stream()
                    .map(row -> row.then(claim -> owned(claim, holders)))
                    .toList();
            return LeasesLeft.of(
                            from,
                            standing.stream()
                                    .flatMap(row -> row.item().stream())
                                    .toList())
                    .thenApply(leases -> standing.stream()
                            .map(row -> row.<Owner<?>>then(
                                    each -> Optional.of(new Owner<>(token(each.scope(), each), leases.of(each)))))
                            .toList());
        });
    }

    private static Optional<LeasesLeft.Owned> owned(HeldBy claim, Map<Bytes, Entry> holders) {
        return claim.standing(Optional.ofNullable(holders.get(OwnerKeys.holder(claim.scope()))))
                .map(record -> new LeasesLeft.Owned(claim.scope(), record));
    }

    private <S extends Scope> Token<S> token(S scope, LeasesLeft.Owned owned) {
        return new Token<>(
                backend.engine().incarnation(), scope, owned.holder().getEpoch(), Held.holder(owned.holder()));
    }
}
