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
package org.apache.eventmesh.state.core.subscription;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Parting;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A client's registrations end with its connection, in the same commit; only where there are more than a commit holds, some
 * go before it.
 */
final class ClientParting implements Parting<ClientId> {
    /** Beyond this one commit would keep others waiting. */
    private static final int MOST = 256;

    /** Four keys of identifiers at their longest, escaped. */
    private static final int LARGEST = 8 << 10;

    /** What the end of the ownership itself takes. */
    private static final int OTHERS = 8;

    private final Claims claims;

    ClientParting(Claims claims) {
        this.claims = claims;
    }

    @Override
    public CompletionStage<Collection<Bytes>> before(Steps steps, Token<ClientId> token) {
        return steps.scan(SubscriptionKey.ofClient(token.scope()), atOnce(steps))
                .thenCompose(slice -> {
                    List<Bytes> keys = records(slice);
                    return slice.more()
                            ? claims.write(
                                            steps,
                                            token,
                                            keys,
                                            (held, seen) -> remove(keys, seen, new Draft().condition(held.fence())),
                                            fenced -> false)
                                    // when the token is not current any more, the last commit finds that too
                                    .thenCompose(current -> current
                                            ? before(steps, token)
                                            : CompletableFuture.completedStage(List.of()))
                            : CompletableFuture.completedStage(keys);
                });
    }

    @Override
    public void add(Token<ClientId> token, Collection<Bytes> read, Seen seen, Draft draft) {
        read.forEach(key -> Removal.add(SubscriptionKey.read(key), seen, draft));
    }

    /** A registration that was made while the end was under way; later ones have later epochs, and stay. */
    @Override
    public CompletionStage<Boolean> after(Steps steps, Token<ClientId> token) {
        return steps.scan(SubscriptionKey.ofClient(token.scope()), atOnce(steps))
                .thenCompose(slice -> {
                    List<Bytes> keys = records(slice);
                    return keys.isEmpty()
                            ? CompletableFuture.completedStage(true)
                            : steps.transact(keys, seen -> removeUpTo(token.epoch(), keys, seen));
                });
    }

    private static Decision<Boolean> removeUpTo(long epoch, List<Bytes> keys, Seen seen) {
        Draft draft = new Draft();
        keys.stream()
                .filter(key -> SubscriptionRecords.readable(seen.entry(key))
                        .filter(record -> record.getClientEpoch() <= epoch)
                        .isPresent())
                .forEach(key -> Removal.add(SubscriptionKey.read(key), seen, draft));
        return draft.changesNothing() ? Decision.answer(true) : draft.write(true);
    }

    private static Decision<Boolean> remove(List<Bytes> keys, Seen seen, Draft draft) {
        keys.forEach(key -> Removal.add(SubscriptionKey.read(key), seen, draft));
        return draft.write(true);
    }

    private static List<Bytes> records(Slice byClient) {
        return byClient.entries().stream()
                .map(entry -> SubscriptionKey.readByClient(entry.key()).bytes())
                .toList();
    }

    private static int atOnce(Steps steps) {
        Limits limits = steps.backend().engine().limits();
        int fitting = Math.min((limits.maxOperations() - OTHERS) / Removal.OPERATIONS, limits.maxBytes() / LARGEST);
        return Math.max(1, Math.min(MOST, fitting));
    }
}
