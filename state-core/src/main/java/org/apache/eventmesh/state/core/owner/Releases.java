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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of ownerships: of one, and of all that a member holds. */
final class Releases {
    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);

    /** Scopes that are released at a time. */
    private static final int PAGE = 64;

    private final Losses losses;
    private final Map<Class<?>, Parting<?>> partings = new ConcurrentHashMap<>();

    Releases(Losses losses) {
        this.losses = losses;
    }

    <S extends Scope> void ending(Class<S> kind, Parting<S> parting) {
        partings.put(kind, parting);
    }

    /** Gives one back, if it is still ours to give; what stands afterwards. */
    <S extends Scope> CompletionStage<Fenced> one(Steps steps, Token<S> token) {
        Parting<S> parting = parting(token.scope());
        return parting.before(steps, token)
                .thenCompose(more -> last(steps, token, parting, more))
                .thenCompose(after -> after.current().isPresent()
                        ? CompletableFuture.completedStage(after)
                        : parting.after(steps, token).thenApply(done -> after))
                .thenApply(after -> {
                    losses.show(token, after);
                    return after;
                });
    }

    private static <S extends Scope> CompletionStage<Fenced> last(
            Steps steps, Token<S> token, Parting<S> parting, Collection<Bytes> more) {
        Set<Bytes> keys = new LinkedHashSet<>(more);
        keys.add(OwnerKeys.holder(token.scope()));
        return steps.transact(keys, seen -> end(steps, token, parting, more, seen));
    }

    private static <S extends Scope> Decision<Fenced> end(
            Steps steps, Token<S> token, Parting<S> parting, Collection<Bytes> more, Seen seen) {
        Bytes holder = OwnerKeys.holder(token.scope());
        Standing<S> standing = Held.of(token, steps.backend().engine().incarnation(), seen.entry(holder));
        if (standing instanceof Standing.Past<S> past) {
            return Decision.answer(past.fenced());
        }
        Draft draft = new Draft()
                .condition(seen.unchanged(holder))
                .change(Change.delete(holder))
                .change(Change.delete(new HeldBy(token.holder(), token.scope()).bytes()));
        parting.add(token, more, seen, draft);
        return draft.write(Held.standing(Optional.empty()));
    }

    /**
     * All that a member holds that can claim no more. What cannot be decoded stays, and keeps nothing else from its end.
     */
    CompletionStage<Boolean> all(Steps steps, Holder holder) {
        return page(steps, HeldBy.member(holder));
    }

    private CompletionStage<Boolean> page(Steps steps, KeyRange rest) {
        return steps.scan(rest, PAGE).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            CompletableFuture<?>[] ending = entries.stream()
                    .map(entry -> held(steps, entry.key()).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            return CompletableFuture.allOf(ending)
                    .thenCompose(done -> slice.more()
                            ? page(
                                    steps,
                                    rest.after(entries.get(entries.size() - 1).key()))
                            : CompletableFuture.completedStage(true));
        });
    }

    private CompletionStage<Boolean> held(Steps steps, Bytes key) {
        CompletionStage<Boolean> ended;
        try {
            HeldBy claim = HeldBy.read(key);
            ended = steps.read(List.of(OwnerKeys.holder(claim.scope())))
                    .thenCompose(found -> end(steps, claim, found.stream().findAny()));
        } catch (CorruptStateException e) {
            ended = CompletableFuture.failedStage(e);
        }
        return ended.exceptionally(failure -> {
            Throwable cause = cause(failure);
            if (cause instanceof CorruptStateException || cause instanceof IncompatibleFormatException) {
                LOG.warn("a member leaves, and one of its claims cannot be read; it stays", cause);
                return false;
            }
            throw new CompletionException(cause);
        });
    }

    private CompletionStage<Boolean> end(Steps steps, HeldBy claim, Optional<Entry> holder) {
        Optional<HolderRecord> standing = claim.standing(holder);
        if (standing.isEmpty()) {
            Change forget = Change.delete(claim.bytes());
            return steps.transact(List.of(), seen -> new Draft().change(forget).write(true));
        }
        return one(
                        steps,
                        new Token<>(
                                steps.backend().engine().incarnation(),
                                claim.scope(),
                                standing.get().getEpoch(),
                                claim.holder()))
                .thenApply(after -> true);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** By its own kind; {@link #ending} saw that it fits. */
    @SuppressWarnings("unchecked")
    private <S extends Scope> Parting<S> parting(S scope) {
        return (Parting<S>) partings.getOrDefault(scope.getClass(), Parting.none());
    }
}
