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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A token is valid while the lease lives under which its ownership was seen to stand: with that lease nobody else can have
 * claimed the scope. When the lease lapsed and another was granted, the ownership is read again before anything goes on.
 */
final class LeaseValidity<S extends Scope> implements Validity {
    private final Backend backend;
    private final Members members;
    private final Token<S> token;

    /** The lease of a member of this store set under which the ownership was seen. */
    private volatile @Nullable KeptLease seenUnder;

    /** For a member of another store set, whose lease this process does not renew; by the deadlines' time. */
    private volatile long until = Long.MIN_VALUE;

    LeaseValidity(Backend backend, Members members, Token<S> token) {
        this.backend = backend;
        this.members = members;
        this.token = token;
    }

    @Override
    public boolean now() {
        Optional<KeptLease> own = members.lease(token.holder());
        return own.isPresent()
                ? own.get() == seenUnder && own.get().live()
                : until != Long.MIN_VALUE && until - backend.deadlines().now() > 0;
    }

    @Override
    public CompletionStage<Answer> look() {
        // with the close of the set the leases of its members are given back
        if (members.closed()) {
            return CompletableFuture.failedStage(Members.closing());
        }
        return found().thenApply(answer -> {
            if (members.closed()) {
                throw Members.closing();
            }
            return answer;
        });
    }

    private CompletionStage<Answer> found() {
        Optional<KeptLease> own = members.lease(token.holder());
        if (own.isPresent() && !own.get().live()) {
            return CompletableFuture.completedStage(new Answer.Ended());
        }
        Bytes holder = OwnerKeys.holder(token.scope());
        Bytes member = OwnerKeys.member(token.holder().process());
        return backend.read(List.of(holder, member)).thenCompose(found -> {
            Standing<S> standing = Held.of(token, backend.engine().incarnation(), find(found, holder));
            if (standing instanceof Standing.Past<S> past) {
                return CompletableFuture.completedStage(new Answer.Past(past.fenced()));
            }
            return own.isPresent() ? CompletableFuture.completedStage(seen(own.get())) : elsewhere(find(found, member));
        });
    }

    private Answer seen(KeptLease lease) {
        seenUnder = lease;
        return lease.live() ? new Answer.Valid() : new Answer.Ended();
    }

    private CompletionStage<Answer> elsewhere(Optional<Entry> member) {
        if (member.isEmpty()) {
            return CompletableFuture.completedStage(new Answer.Ended());
        }
        long lease = Records.MEMBER.decode(member.get()).record().getLeaseId();
        long before = backend.deadlines().now();
        return backend.call(engine -> engine.remaining(lease)).thenApply(left -> {
            // what is left may have been rounded up, and to go on for longer than it lasts is what must never be
            until = before + Math.max(0, left.minus(Engine.LEASE_ROUNDING).toNanos());
            return now() ? new Answer.Valid() : new Answer.Ended();
        });
    }

    private static Optional<Entry> find(Collection<Entry> found, Bytes key) {
        return found.stream().filter(entry -> entry.key().equals(key)).findAny();
    }
}
