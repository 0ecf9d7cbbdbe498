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
package org.apache.eventmesh.state.core.home;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** A host that was not the last owner begins at the published positions: what it reads again is delivered again. */
final class PublishedArrival implements ShardHome.Arrival {
    private static final int PAGE = 100;

    private final Sides sides;

    PublishedArrival(Sides sides) {
        this.sides = sides;
    }

    @Override
    public CompletionStage<Boolean> install(Steps local, Token<Partition> token, long fence) {
        Map<Subscriber, PublishedRecord> published = new HashMap<>();
        return places(local, token, fence, PublishedKey.in(token.scope()), published)
                .thenCompose(ours -> ours
                        ? new DeadBefore(sides, local, token.scope(), fence, published).install()
                        : CompletableFuture.completedStage(false));
    }

    private CompletionStage<Boolean> places(
            Steps local,
            Token<Partition> token,
            long fence,
            KeyRange rest,
            Map<Subscriber, PublishedRecord> published) {
        Bytes fenceKey = OwnerKeys.holder(token.scope());
        int page = Math.min(PAGE, sides.local().engine().limits().maxOperations() / 3);
        return sides.shared().scan(rest, page).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            if (entries.isEmpty()) {
                return CompletableFuture.completedStage(true);
            }
            List<Change> places = new ArrayList<>();
            entries.forEach(entry -> places.addAll(place(token, entry, published)));
            return local.transact(List.of(fenceKey), seen -> ShardHome.fenced(seen, fenceKey, fence, places))
                    .thenCompose(ours -> ours && slice.more()
                            ? places(
                                    local,
                                    token,
                                    fence,
                                    rest.after(entries.get(entries.size() - 1).key()),
                                    published)
                            : CompletableFuture.completedStage(ours));
        });
    }

    /** One that cannot be decoded fails the claim: a subscriber that is left out would lose what was not delivered to it. */
    private static List<Change> place(Token<Partition> token, Entry entry, Map<Subscriber, PublishedRecord> all) {
        ProgressKey key =
                new ProgressKey(token.scope(), PublishedKey.read(entry.key()).subscriber());
        PublishedRecord published = Records.PUBLISHED.decode(entry).record();
        all.put(key.subscriber(), published);
        ProgressRecord.Builder place = ProgressRecord.newBuilder()
                // like no number that this shard ever takes
                .setEntry(-token.epoch())
                .setCursor(published.getPosition())
                .setPosition(published.getPosition());
        if (published.hasGeneration()) {
            place.setGeneration(published.getGeneration());
        }
        return List.of(
                Records.PROGRESS.put(key.bytes(), place.build()), Change.put(key.bySubscriber(), Records.NOTHING));
    }
}
