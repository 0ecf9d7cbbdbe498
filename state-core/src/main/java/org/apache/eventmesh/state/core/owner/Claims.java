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

import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decider;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** Claims, and the writes under them. One for each store set. */
public final class Claims {
    private final Backend backend;
    private final Members members;
    private final Releases releases;
    private final Losses losses;
    private final InstantSource clock;

    Claims(Backend backend, Members members, Releases releases, Losses losses, InstantSource clock) {
        this.backend = backend;
        this.members = members;
        this.releases = releases;
        this.losses = losses;
        this.clock = clock;
    }

    /**
     * Starts an operation of a member.
     *
     * @return fails with {@code IllegalStateException} when the member has left
     * @throws IllegalArgumentException when another store set made the member
     */
    public <T> CompletionStage<T> as(Member by, Operation operation, Function<Steps, CompletionStage<T>> course) {
        JoinedMember own = members.own(by);
        return own.left() ? CompletableFuture.failedStage(own.gone()) : Steps.run(backend, operation, course);
    }

    /**
     * Claims a scope, unless another's lease lives. A repeat by the same member gives the same token; a member whose lease
     * lapsed is renewed first. Durable.
     */
    public <S extends Scope> CompletionStage<ClaimResult<Held<S>>> claim(
            Steps steps, Member by, S scope, ClaimStep<S> along) {
        return attempt(steps, members.own(by), scope, along, false).thenCompose(answer -> {
            if (answer instanceof Claiming.Answer.Blocked<S> blocked) {
                return backend.call(engine -> engine.remaining(blocked.lease()))
                        .thenApply(left -> new ClaimResult.HeldByOther<>(blocked.holder(), blocked.epoch(), left));
            }
            return CompletableFuture.completedStage(new ClaimResult.Claimed<>(held(answer)));
        });
    }

    /** Claims a scope in any case; a former owner is fenced from that commit on. Otherwise as {@link #claim}. */
    public <S extends Scope> CompletionStage<Held<S>> takeOver(Steps steps, Member by, S scope, ClaimStep<S> along) {
        return attempt(steps, members.own(by), scope, along, true).thenApply(Claims::held);
    }

    /** Whether a token is current, read now. */
    public <S extends Scope> CompletionStage<Standing<S>> standing(Steps steps, Token<S> token) {
        Bytes key = OwnerKeys.holder(token.scope());
        return steps.read(Set.of(key))
                .thenApply(found -> Held.of(
                        token, backend.engine().incarnation(), found.stream().findAny()));
    }

    /** Whether a token is current, by the holder record among what was read; the write then carries its fence. */
    public <S extends Scope> Standing<S> standing(Token<S> token, Seen seen) {
        return Held.of(token, backend.engine().incarnation(), seen.entry(OwnerKeys.holder(token.scope())));
    }

    /**
     * One write under a token, synced.
     *
     * @param keys what the rule reads
     * @param rule decides while the token is current; what it writes must carry the fence
     * @param refused the answer when it is not
     */
    public <S extends Scope, R> CompletionStage<R> write(
            Operation operation,
            Token<S> token,
            Collection<Bytes> keys,
            FencedRule<S, R> rule,
            Function<Fenced, R> refused) {
        return told(
                operation,
                token,
                new Transactions(backend).run(operation, fenced(token, keys), fenced(token, rule, refused)));
    }

    /** As {@link #write(Operation, Token, Collection, FencedRule, Function)}, as one step; telling the handle is left. */
    public <S extends Scope, R> CompletionStage<R> write(
            Steps steps, Token<S> token, Collection<Bytes> keys, FencedRule<S, R> rule, Function<Fenced, R> refused) {
        return steps.transact(fenced(token, keys), fenced(token, rule, refused));
    }

    private static Set<Bytes> fenced(Token<?> token, Collection<Bytes> keys) {
        Set<Bytes> all = new LinkedHashSet<>(keys);
        all.add(OwnerKeys.holder(token.scope()));
        return all;
    }

    private <S extends Scope, R> Decider<R> fenced(Token<S> token, FencedRule<S, R> rule, Function<Fenced, R> refused) {
        return seen -> {
            Standing<S> standing = standing(token, seen);
            if (standing instanceof Standing.Current<S> current) {
                return rule.decide(current.held(), seen);
            }
            return Decision.answer(refused.apply(((Standing.Past<S>) standing).fenced()));
        };
    }

    /** Passes an answer on; one that is {@link Fenced} spends the handle first. */
    public <R> CompletionStage<R> told(Operation operation, Token<?> token, CompletionStage<R> answer) {
        return answer.thenApply(result -> {
            if (result instanceof Fenced fenced) {
                fenced(operation, token, fenced);
            }
            return result;
        });
    }

    /** A write under the token was refused: its handle is spent. Called on the callback executor, before the answer. */
    public void fenced(Operation operation, Token<?> token, Fenced answer) {
        losses.tell(token, answer);
        long current = answer.current().map(Fenced.Current::epoch).orElse(0L);
        backend.callbacks()
                .tell(to -> to.fenced(operation.store(), operation.name(), token.scope(), token.epoch(), current));
    }

    /** Completes on the callback executor when an answer or the watch shows that the token is not current any more. */
    public CompletionStage<Fenced> lost(Token<?> token) {
        return losses.of(token);
    }

    /** Of the data set that keeps the ownerships; tokens carry it. */
    public String incarnation() {
        return backend.engine().incarnation();
    }

    /** Whether this process may write under a token where no commit sees the ownership itself. */
    public <S extends Scope> Validity validity(Token<S> token) {
        return new LeaseValidity<>(backend, members, token);
    }

    /** Gives a scope back, with all that ends with it; nothing when it is another's. Durable. */
    public <S extends Scope> CompletionStage<Void> release(Operation operation, Token<S> token) {
        return Steps.run(backend, operation, steps -> releases.one(steps, token))
                .thenAccept(after -> {});
    }

    /** What ends together with the ownerships of a kind of scope. */
    public <S extends Scope> void ending(Class<S> kind, Parting<S> parting) {
        releases.ending(kind, parting);
    }

    private <S extends Scope> CompletionStage<Claiming.Answer<S>> attempt(
            Steps steps, JoinedMember by, S scope, ClaimStep<S> along, boolean takeOver) {
        if (by.left()) {
            return CompletableFuture.failedStage(by.gone());
        }
        Claiming<S> claiming =
                new Claiming<>(backend.engine().incarnation(), scope, by.holder(), along, takeOver, Millis.now(clock));
        backend.expectAbsent(claiming.newKeys());
        return steps.transact(claiming.keys(), claiming::decide)
                .thenCompose(answer -> answer instanceof Claiming.Answer.Lapsed<S>
                        ? by.renewed().thenCompose(renewed -> attempt(steps, by, scope, along, takeOver))
                        : CompletableFuture.completedStage(answer));
    }

    private static <S extends Scope> Held<S> held(Claiming.Answer<S> answer) {
        return ((Claiming.Answer.Ours<S>) answer).held();
    }
}
