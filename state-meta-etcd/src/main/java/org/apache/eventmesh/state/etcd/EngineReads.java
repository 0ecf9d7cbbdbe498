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
package org.apache.eventmesh.state.etcd;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.Consistency;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Range;
import org.apache.eventmesh.state.etcd.client.RangeAnswer;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.value.Bytes;

/** Reads, scans, and commits that only check. An answer that is too large is asked for in parts. */
final class EngineReads {
    /**
     * What the engine's specification asks of every read: to see each commit that was completed before. Where a stale
     * answer is allowed, the stores read from their views and ask no engine.
     */
    private static final Consistency CONSISTENCY = Consistency.LINEARIZABLE;

    /** More than once a history is not compacted up to the present within one read, but for an operator's hand. */
    private static final int MOST_TRIES = 5;

    private final Questions questions;
    private final KeySpace keys;
    private final int maxSteps;

    EngineReads(Questions questions, KeySpace keys, int maxSteps) {
        this.questions = questions;
        this.keys = keys;
        this.maxSteps = maxSteps;
    }

    /** The present entries of the keys, as of one moment: what needs several transactions is read as of the first. */
    CompletionStage<List<Entry>> read(Collection<Bytes> wanted) {
        List<Bytes> stored = wanted.stream().distinct().map(keys::stored).toList();
        return stored.isEmpty() ? CompletableFuture.completedStage(List.of()) : read(stored, MOST_TRIES);
    }

    private CompletionStage<List<Entry>> read(List<Bytes> stored, int tries) {
        return from(stored, 0)
                .handle((found, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(plain(found.entries()));
                    }
                    // the moment of the first part was compacted away before the last was read
                    return Explained.call(failure).failure() == Failure.COMPACTED && tries > 1
                            ? read(stored, tries - 1)
                            : CompletableFuture.<List<Entry>>failedStage(Questions.toCaller(failure));
                })
                .thenCompose(Function.identity());
    }

    /** @param revision as of which they were read */
    private record Found(long revision, List<Entry> entries) {
        Found and(Found more) {
            List<Entry> both = new ArrayList<>(entries);
            both.addAll(more.entries());
            return new Found(revision, both);
        }
    }

    /** @param revision as of which; 0 for now */
    private CompletionStage<Found> from(List<Bytes> stored, long revision) {
        return stored.size() > maxSteps ? inParts(stored, maxSteps, revision) : atOnce(stored, revision);
    }

    private CompletionStage<Found> inParts(List<Bytes> stored, int first, long revision) {
        CompletionStage<Found> head = from(stored.subList(0, first), revision);
        List<Bytes> rest = stored.subList(first, stored.size());
        return revision == 0
                ? head.thenCompose(found -> from(rest, found.revision()).thenApply(found::and))
                : head.thenCombine(from(rest, revision), Found::and);
    }

    private CompletionStage<Found> atOnce(List<Bytes> stored, long revision) {
        Txn txn = Txn.read(
                stored.stream().<Step>map(key -> new Step.Get(key, revision)).toList());
        return questions
                .ask((client, deadline) -> client.transact(txn, deadline), TxnAnswer::header)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        long read = revision == 0 ? answer.revision() : revision;
                        return CompletableFuture.completedStage(new Found(read, answer.entries()));
                    }
                    return isTooLarge(failure) && stored.size() > 1
                            ? inParts(stored, stored.size() / 2, revision)
                            : CompletableFuture.<Found>failedStage(failure);
                })
                .thenCompose(Function.identity());
    }

    /** The first entries of the range. */
    CompletionStage<Slice> scan(KeyRange range, int limit) {
        // for etcd, an end like the start would be no end at all
        boolean empty = range.from().equals(range.to());
        KeyRange stored = keys.stored(range);
        Range asked = empty
                ? new Range(keys.incarnation(), null, 1, CONSISTENCY, true)
                : new Range(stored.from(), stored.to(), limit, CONSISTENCY, false);
        return questions
                .ask((client, deadline) -> client.range(asked, deadline), RangeAnswer::header)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        List<Entry> found = empty ? List.of() : plain(answer.entries());
                        return CompletableFuture.completedStage(
                                new Slice(found, answer.header().revision(), answer.more()));
                    }
                    return isTooLarge(failure) && limit > 1
                            ? scan(range, limit / 2)
                            : CompletableFuture.<Slice>failedStage(Questions.toCaller(failure));
                })
                .thenCompose(Function.identity());
    }

    /** A commit without changes: it needs no slot, since it may be asked as often as it takes. */
    CompletionStage<CommitResult> check(Commit commit) {
        List<Compare> compares = new ArrayList<>();
        List<Step> gets = new ArrayList<>();
        for (Condition condition : commit.conditions()) {
            Bytes key = keys.stored(condition.key());
            compares.add(new Compare(key, condition.revision()));
            gets.add(new Step.Get(key));
        }
        // a transaction without steps counts as one that writes
        Txn txn = new Txn(compares, List.of(new Step.Get(keys.incarnation())), gets);
        return questions
                .ask((client, deadline) -> client.transact(txn, deadline), TxnAnswer::header)
                .thenApply(this::checked)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(Questions.toCaller(failure)));
    }

    private CommitResult checked(TxnAnswer answer) {
        return answer.succeeded()
                ? new CommitResult.Applied(answer.revision())
                : new CommitResult.Refused(plain(answer.entries()));
    }

    private List<Entry> plain(List<Entry> entries) {
        return entries.stream().map(keys::plain).toList();
    }

    private static boolean isTooLarge(Throwable failure) {
        return Explained.call(failure).failure() == Failure.ANSWER_TOO_LARGE;
    }
}
