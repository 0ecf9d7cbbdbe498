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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.value.Bytes;

/** A member of this store set. */
final class JoinedMember implements Member {
    private final Members members;
    private final Backend backend;
    private final Holder holder;
    private final Renewals renewals;
    private volatile boolean left;

    /** What the caller learns, and of how many lapses. */
    private record Told(Renewal renewal, long lapses) {}

    JoinedMember(Members members, Backend backend, Holder holder, Duration length, long joinedAt, KeptLease lease) {
        this.members = members;
        this.backend = backend;
        this.holder = holder;
        this.renewals = new Renewals(
                backend,
                holder,
                lease,
                ended -> Steps.unattended(backend, Members.operation("renew", holder.instance()), steps -> {
                    members.ended(ended);
                    return members.stand(steps, holder, length, joinedAt);
                }),
                this::over);
    }

    @Override
    public Holder holder() {
        return holder;
    }

    @Override
    public boolean live() {
        return !left && !members.closed() && renewals.lease().live();
    }

    @Override
    public CompletionStage<Renewal> renew() {
        if (left()) {
            return CompletableFuture.failedStage(gone());
        }
        // a renewal goes on when nobody waits for it any more
        AtomicBoolean begun = new AtomicBoolean();
        Ask<Told> ask = backend.ask(Members.operation("renew", holder.instance()), () -> !begun.get());
        if (!ask.answered()) {
            begun.set(true);
            renewals.now().whenComplete((lapsed, failure) -> {
                if (failure == null) {
                    long lapses = renewals.lapses();
                    boolean news = lapsed || !renewals.told(lapses);
                    ask.answer(new Told(news ? Renewal.RENEWED_AFTER_LAPSE : Renewal.RENEWED, lapses));
                } else {
                    ask.fail(failure);
                }
            });
        }
        return ask.stage().thenApply(told -> {
            // it is the answer, and the caller goes on after this; one that came too late does not get here
            renewals.tell(told.lapses());
            return told.renewal();
        });
    }

    @Override
    public CompletionStage<Void> leave() {
        left = true;
        CompletionStage<Boolean> settled = renewals.stop();
        Bytes key = OwnerKeys.member(holder.process());
        return Steps.run(
                        backend,
                        Members.operation("leave", holder.instance()),
                        steps -> settled.thenCompose(done -> steps.transact(
                                        List.of(),
                                        seen -> Decision.write(List.of(), List.of(Change.delete(key)), true)))
                                .thenCompose(deleted -> members.revoke(renewals.lease()))
                                // without a lease it claims nothing more, so this is all
                                .thenCompose(revoked -> members.releaseAll(steps, holder)))
                .thenAccept(done -> members.forget(this));
    }

    boolean madeBy(Members set) {
        return members == set;
    }

    /** Of a closed set it is only closed: that is what its callers are told. */
    boolean left() {
        return left && !members.closed();
    }

    Renewals renewals() {
        return renewals;
    }

    /** Renews before something is to stand under the lease. */
    CompletionStage<Boolean> renewed() {
        return left() ? CompletableFuture.failedStage(gone()) : renewals.now();
    }

    private RuntimeException over() {
        return members.closed() ? Members.closing() : gone();
    }

    IllegalStateException gone() {
        return new IllegalStateException(
                "member " + holder + " has left the mesh; join again, as a new member, to claim anything");
    }
}
