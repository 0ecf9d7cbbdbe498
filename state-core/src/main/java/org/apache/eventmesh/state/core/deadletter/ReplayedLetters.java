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
package org.apache.eventmesh.state.core.deadletter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.MarkedRecords;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.TakeNumber;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The letters of a shard that stand in the shared backend of a set of two with the mark of their replay, because their new
 * delivery is not settled: whoever owns the shard sees to it that each has its delivery.
 */
public final class ReplayedLetters {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayedLetters.class);

    private final ShardLoop loop;

    public ReplayedLetters(ShardLoop loop) {
        this.loop = loop;
    }

    /** Opens what is not open; how many those were. */
    public CompletionStage<Long> all() {
        return Crossing.unattended(
                loop,
                DeadLetters.operation("replay", loop.token().scope()),
                crossing -> new MarkedRecords<DeadLetterId>(
                                crossing,
                                DeadLetterKey::readReplaying,
                                DeadLetterKey::bytes,
                                (id, found) -> open(crossing, id, found))
                        .over(DeadLetterKey.replayingIn(loop.token().scope())));
    }

    /** Opens the new delivery of a letter, if it is marked and has none here; whether it did. */
    CompletionStage<Boolean> open(Crossing crossing, DeadLetterId id) {
        return crossing.steps()
                .read(List.of(DeadLetterKey.bytes(id)))
                .thenCompose(found -> open(crossing, id, found.stream().findAny()));
    }

    private CompletionStage<Boolean> open(Crossing crossing, DeadLetterId id, Optional<Entry> found) {
        Optional<DeadLetterRecord> letter;
        try {
            letter = found.map(Records.DEAD_LETTER::decode).map(Stored::record).filter(DeadLetterRecord::hasReplaying);
        } catch (CorruptStateException e) {
            // nobody can tell what it would bring; whoever reads the letter is told
            LOG.warn("a letter that was replayed cannot be read, so it is not delivered", e);
            letter = Optional.empty();
        }
        return letter.isEmpty() || isKnown(letter.get())
                ? CompletableFuture.completedStage(false)
                : numbered(crossing, id, letter.get())
                        .thenCompose(replayed -> replayed.isEmpty()
                                ? CompletableFuture.completedStage(false)
                                : crossing.local(new OpenReplay(id, replayed.get())));
    }

    /** Most are open here: those need no turn of the loop. */
    private boolean isKnown(DeadLetterRecord letter) {
        long number = letter.getReplaying().getDelivery();
        return isOfThisHost(letter)
                && loop.look(index ->
                        index.delivery(number) != null || index.outstanding().containsKey(number));
    }

    private boolean isOfThisHost(DeadLetterRecord letter) {
        return letter.getReplaying().getIncarnation().equals(loop.sides().host());
    }

    /** With a delivery number of this host: what another host opened is not here, and its numbers mean nothing here. */
    private CompletionStage<Optional<DeadLetterRecord>> numbered(
            Crossing crossing, DeadLetterId id, DeadLetterRecord letter) {
        if (isOfThisHost(letter)) {
            return CompletableFuture.completedStage(Optional.of(letter));
        }
        Bytes request = request(id, letter);
        return crossing.ask(new TakeNumber(StoreName.DEAD_LETTERS, "replay"))
                .thenCompose(answer -> answer instanceof TakeNumber.Answer.Taken taken
                        ? crossing.shared(
                                List.of(DeadLetterKey.bytes(id), request),
                                (seen, draft) -> renumber(seen, draft, id, request, taken.number()),
                                fenced -> Optional.empty())
                        : CompletableFuture.completedStage(Optional.empty()));
    }

    private Decision<Optional<DeadLetterRecord>> renumber(
            Seen seen, Draft draft, DeadLetterId id, Bytes request, long number) {
        Bytes key = DeadLetterKey.bytes(id);
        Optional<DeadLetterRecord> letter =
                seen.get(Records.DEAD_LETTER, key).map(Stored::record).filter(DeadLetterRecord::hasReplaying);
        if (letter.isEmpty()) {
            return Decision.answer(Optional.empty());
        }
        DeadLetterRecord.Builder renumbered = letter.get().toBuilder();
        renumbered.getReplayingBuilder().setIncarnation(loop.sides().host()).setDelivery(number);
        DeadLetterRecord now = renumbered.build();
        draft.condition(seen.unchanged(key)).change(Records.DEAD_LETTER.put(key, now));
        // a repeat of the request is told the delivery that there is
        seen.get(Records.REPLAY, request).map(Stored::record).ifPresent(result -> {
            ReplayRecord.Builder told =
                    result.toBuilder().setIncarnation(loop.sides().host()).setDelivery(number);
            draft.condition(seen.unchanged(request)).change(Records.REPLAY.put(request, told.build()));
        });
        return draft.write(Optional.of(now));
    }

    private static Bytes request(DeadLetterId id, DeadLetterRecord letter) {
        return new ReplayKey(id, new RequestKey(letter.getReplaying().getRequestKey())).bytes();
    }
}
