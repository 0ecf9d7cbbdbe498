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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that other hosts gave up and that the published positions have not passed: they are settled, although this
 * host will read them again. A letter from before the last reset of its subscriber does not count: what was reset is to be
 * delivered again.
 */
final class DeadBefore {
    private static final Logger LOG = LoggerFactory.getLogger(DeadBefore.class);

    /** Each is read with its payload. */
    private static final int PAGE = 16;

    private final Sides sides;
    private final Steps local;
    private final Partition partition;
    private final long fence;
    private final Map<Subscriber, PublishedRecord> published;

    /** @param published where this host begins */
    DeadBefore(Sides sides, Steps local, Partition partition, long fence, Map<Subscriber, PublishedRecord> published) {
        this.sides = sides;
        this.local = local;
        this.partition = partition;
        this.fence = fence;
        this.published = published;
    }

    /** Puts them down; {@code false} when the fence is not ours any more. */
    CompletionStage<Boolean> install() {
        return page(DeadLetterKey.in(partition));
    }

    private CompletionStage<Boolean> page(KeyRange rest) {
        Bytes fenceKey = OwnerKeys.holder(partition);
        return sides.shared().scan(rest, PAGE).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            if (entries.isEmpty()) {
                return CompletableFuture.completedStage(true);
            }
            List<Change> known = new ArrayList<>();
            entries.forEach(entry -> settled(entry)
                    .ifPresent(id -> known.add(Change.put(
                            ShardKeys.deadBefore(partition, id.subscriber(), id.offset()), Records.NOTHING))));
            return local.transact(List.of(fenceKey), seen -> ShardHome.fenced(seen, fenceKey, fence, known))
                    .thenCompose(ours -> ours && slice.more()
                            ? page(rest.after(entries.get(entries.size() - 1).key()))
                            : CompletableFuture.completedStage(ours));
        });
    }

    /** One that cannot be decoded does not count: its message is delivered again, and may be given up again. */
    private Optional<DeadLetterId> settled(Entry entry) {
        try {
            DeadLetterId id = DeadLetterKey.read(entry.key());
            DeadLetterRecord letter = Records.DEAD_LETTER.decode(entry).record();
            return counts(id, letter) ? Optional.of(id) : Optional.empty();
        } catch (StateStoreException e) {
            LOG.warn("a dead letter of {} cannot be read; its message may be delivered again", partition, e);
            return Optional.empty();
        }
    }

    /** A subscriber without progress reads a source without order, where nothing but the letter tells. */
    private boolean counts(DeadLetterId id, DeadLetterRecord letter) {
        PublishedRecord progress = published.get(id.subscriber());
        if (progress == null) {
            return true;
        }
        boolean later = letter.getEpoch() == progress.getSinceEpoch()
                ? letter.getDelivery() > progress.getSinceNumber()
                : letter.getEpoch() > progress.getSinceEpoch();
        return later && id.offset() >= progress.getPosition();
    }
}
