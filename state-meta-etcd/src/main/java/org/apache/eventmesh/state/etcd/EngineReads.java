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

    private final Questions questions;
    private final KeySpace keys;
    private final int maxSteps;

    EngineReads(Questions questions, KeySpace keys, int maxSteps) {
        this.questions = questions;
        this.keys = keys;
        this.maxSteps = maxSteps;
    }

    /** The present entries of the keys; those that fit in one transaction are of one moment. */
    CompletionStage<List<Entry>> read(Collection<Bytes> wanted) {
        List<Step> gets = wanted.stream()
                .distinct()
                .<Step>map(key -> new Step.Get(keys.stored(key)))
                .toList();
        List<CompletionStage<List<Entry>>> parts = new ArrayList<>();
        for (int from = 0; from < gets.size(); from += maxSteps) {
            parts.add(part(gets.subList(from, Math.min(gets.size(), from + maxSteps))));
        }
        return joined(parts);
    }

    private CompletionStage<List<Entry>> part(List<Step> gets) {
        Txn txn = Txn.read(gets);
        return questions
                .ask((client, deadline) -> client.transact(txn, deadline), TxnAnswer::header)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(plain(answer.entries()));
                    }
                    if (isTooLarge(failure) && gets.size() > 1) {
                        int half = gets.size() / 2;
                        return joined(List.of(part(gets.subList(0, half)), part(gets.subList(half, gets.size()))));
                    }
                    return CompletableFuture.<List<Entry>>failedStage(Questions.toCaller(failure));
                })
                .thenCompose(Function.identity());
    }

    private static CompletionStage<List<Entry>> joined(List<CompletionStage<List<Entry>>> parts) {
        CompletionStage<List<Entry>> all = parts.isEmpty() ? CompletableFuture.completedStage(List.of()) : parts.get(0);
        for (int i = 1; i < parts.size(); i++) {
            all = all.thenCombine(parts.get(i), (some, more) -> {
                List<Entry> both = new ArrayList<>(some);
                both.addAll(more);
                return both;
            });
        }
        return all;
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
