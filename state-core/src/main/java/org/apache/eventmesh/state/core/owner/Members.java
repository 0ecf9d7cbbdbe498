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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.proto.MemberRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.value.Bytes;

/** The processes that joined the mesh through this store set. */
public final class Members {
    private final Backend backend;
    private final Leases leases;
    private final Releases releases;
    private final InstantSource clock;
    private final Map<String, JoinedMember> joined = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Members(Backend backend, Leases leases, Releases releases, InstantSource clock) {
        this.backend = backend;
        this.leases = leases;
        this.releases = releases;
        this.clock = clock;
    }

    /** As {@code StateStores.join}. */
    public CompletionStage<Member> join(String instance, Duration lease) {
        Holder holder = new Holder(instance, UUID.randomUUID().toString());
        Duration length = Leases.checked(lease);
        long now = Millis.now(clock);
        CompletableFuture<JoinedMember> made = new CompletableFuture<>();
        CompletionStage<Member> told = Steps.run(
                backend,
                operation("join", instance),
                steps -> stand(steps, holder, length, now).thenApply(kept -> {
                    JoinedMember member = new JoinedMember(this, backend, holder, length, now, kept);
                    joined.put(holder.process(), member);
                    member.renewals().start();
                    made.complete(member);
                    return member;
                }));
        // whoever was told that it failed does not know this member: it must not live on
        var unused = made.thenAcceptBoth(told.handle((member, failure) -> failure != null), (member, failed) -> {
            if (failed) {
                member.renewals().stop();
                forget(member);
                leases.revoke(member.renewals().lease());
            }
        });
        return told;
    }

    /**
     * The member that this store set made.
     *
     * @throws IllegalArgumentException when another made it
     */
    JoinedMember own(Member member) {
        if (member instanceof JoinedMember own && own.madeBy(this)) {
            return own;
        }
        throw new IllegalArgumentException(
                "member " + member.holder() + " was not made by this store set; join through the one that you ask");
    }

    /**
     * Renews the lease of a holder that is a member of this store set, so that something can stand under it; fails for any
     * other, whose lease only its own process can renew.
     */
    public CompletionStage<Boolean> renew(Holder holder) {
        JoinedMember member = joined.get(holder.process());
        return member != null
                ? member.renewed()
                : CompletableFuture.failedStage(new StoreUnavailableException("the lease of member " + holder
                        + " has ended, and it did not join through this store set; nothing was applied, claim anew"));
    }

    /** The lease that a member of this store set stands under; empty for any other. */
    Optional<KeptLease> lease(Holder holder) {
        return Optional.ofNullable(joined.get(holder.process()))
                .map(member -> member.renewals().lease());
    }

    boolean closed() {
        return closed;
    }

    static StoreClosedException closing() {
        return new StoreClosedException("the store set is closed; nothing was applied, open it again");
    }

    /** Puts the member's record under a new lease. */
    CompletionStage<KeptLease> stand(Steps steps, Holder holder, Duration length, long joinedAt) {
        Bytes key = OwnerKeys.member(holder.process());
        return leases.grant(steps, length).thenCompose(lease -> {
            MemberRecord record = MemberRecord.newBuilder()
                    .setInstance(holder.instance())
                    .setLeaseMillis(Millis.of(length))
                    .setLeaseId(lease.id())
                    .setJoinedAtMillis(joinedAt)
                    .build();
            Change put = Change.put(key, Records.MEMBER.encode(record), lease.id());
            CompletionStage<KeptLease> standing = steps.transact(
                    List.of(key), seen -> Decision.write(List.of(seen.unchanged(key)), List.of(put), lease));
            return standing.whenComplete((kept, failure) -> {
                if (failure != null) {
                    leases.revoke(lease);
                }
            });
        });
    }

    /** The end of renewals; leases are given back by whoever granted them. */
    public void close() {
        closed = true;
        joined.values().forEach(member -> member.renewals().stop());
        joined.clear();
    }

    void forget(JoinedMember member) {
        joined.remove(member.holder().process(), member);
    }

    void ended(KeptLease lease) {
        leases.ended(lease);
    }

    CompletionStage<Void> revoke(KeptLease lease) {
        return leases.revoke(lease);
    }

    CompletionStage<Boolean> releaseAll(Steps steps, Holder holder) {
        return releases.all(steps, holder);
    }

    static Operation operation(String name, Object subject) {
        return new Operation(StoreName.OWNERSHIP, name, subject);
    }
}
