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

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.sweep.Sweep;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.DeadLetterStore;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.value.Bytes;

/** Dead letters over a backend: their records are made in the commits of the shards, and end here. */
public final class DeadLetters implements DeadLetterStore {
    private static final int COUNT_PAGE = 4096;

    private final Backend backend;
    private final Transactions transactions;
    private final Replays replays;

    public DeadLetters(Backend backend, Replays replays) {
        this.backend = backend;
        this.transactions = new Transactions(backend);
        this.replays = replays;
    }

    @Override
    public CompletionStage<Optional<DeadLetter>> find(DeadLetterId id) {
        Check.given("id", id);
        Bytes key = DeadLetterKey.bytes(id);
        return transactions.run(operation("find", id), List.of(key), seen -> Decision.answer(letter(seen, key)));
    }

    @Override
    public CompletionStage<Page<DeadLetter>> list(DeadLetterFilter filter, PageRequest page) {
        Check.given("filter", filter);
        Check.given("page", page);
        DeadLetterPath path = new DeadLetterPath(filter);
        return Listing.byIndex(
                        "dead letters",
                        path.all(),
                        index -> path.wants(path.read(index)),
                        index -> DeadLetterKey.bytes(path.read(index).id()),
                        Records.DEAD_LETTER,
                        (index, stored) -> listed(path.read(index), stored))
                .page(backend, operation("list", filter), page);
    }

    @Override
    public CompletionStage<Long> count(DeadLetterFilter filter) {
        Check.given("filter", filter);
        DeadLetterPath path = new DeadLetterPath(filter);
        return Steps.run(backend, operation("count", filter), steps -> count(steps, path, path.all(), 0));
    }

    @Override
    public CompletionStage<ReplayResult> replay(DeadLetter asRead, RequestKey key) {
        Check.given("asRead", asRead);
        Check.given("key", key);
        return replays.replay(asRead, key);
    }

    @Override
    public CompletionStage<PurgeResult> purge(DeadLetter asRead) {
        Check.given("asRead", asRead);
        Bytes key = DeadLetterKey.bytes(asRead.id());
        return transactions.run(operation("purge", asRead.id()), List.of(key), seen -> purge(seen, key, asRead));
    }

    @Override
    public CompletionStage<Swept> purge(DeadLetterFilter filter, Instant until, int limit) {
        Check.given("filter", filter);
        Check.given("until", until);
        DeadLetterPath path = new DeadLetterPath(filter);
        return Sweep.run(
                backend,
                operation("purge", filter),
                DeadLetterRetention.PER_COMMIT,
                new DeadLetterRetention(path),
                path.before(Millis.from(until)),
                limit);
    }

    private static CompletionStage<Long> count(Steps steps, DeadLetterPath path, KeyRange rest, long before) {
        return steps.scan(rest, COUNT_PAGE).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            long now = before
                    + entries.stream()
                            .filter(entry -> counts(path, entry.key()))
                            .count();
            return slice.more()
                    ? count(
                            steps,
                            path,
                            rest.after(entries.get(entries.size() - 1).key()),
                            now)
                    : CompletableFuture.completedStage(now);
        });
    }

    /** A key that cannot be read keeps no other from being counted. */
    private static boolean counts(DeadLetterPath path, Bytes index) {
        try {
            return path.wants(path.read(index));
        } catch (CorruptStateException e) {
            return false;
        }
    }

    private static Decision<PurgeResult> purge(Seen seen, Bytes key, DeadLetter asRead) {
        Optional<Entry> present = seen.entry(key);
        if (present.isEmpty()) {
            return Decision.answer(new PurgeResult.Gone());
        }
        if (present.get().revision() != asRead.revision()) {
            if (!DeadLetterRecords.shown(
                    Records.DEAD_LETTER.decode(present.get()).record())) {
                return Decision.answer(new PurgeResult.Gone());
            }
            return Decision.answer(
                    new PurgeResult.Changed(DeadLetterRecords.letter(Records.DEAD_LETTER.decode(present.get()))));
        }
        Draft draft = new Draft().condition(seen.unchanged(key));
        DeadLetterRecords.removal(asRead.id(), Millis.of(asRead.deadAt())).forEach(draft::change);
        return draft.write(new PurgeResult.Purged());
    }

    /** Nothing when the letter was given up again since: then it stands elsewhere in the order. */
    private static Optional<DeadLetter> listed(DeadLetterKey.Listed listed, Stored<DeadLetterRecord> stored) {
        return stored.record().getDeadAtMillis() == listed.deadAt()
                ? Optional.of(DeadLetterRecords.letter(stored))
                : Optional.empty();
    }

    private static Optional<DeadLetter> letter(Seen seen, Bytes key) {
        return seen.get(Records.DEAD_LETTER, key)
                .filter(stored -> DeadLetterRecords.shown(stored.record()))
                .map(DeadLetterRecords::letter);
    }

    static Operation operation(String name, Object subject) {
        return new Operation(StoreName.DEAD_LETTERS, name, subject);
    }
}
