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
package org.apache.eventmesh.state.inmemory.mutant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** Engines with one deliberate fault each. */
final class WrongEngines {
    /** The first bytes of keys, as they stand on disk: which records a mutant is about. */
    private static final int COUNTERS = 0x02;

    private static final int HOLDERS = 0x03;

    private static final int POSITIONS = 0x11;

    private WrongEngines() {}

    private static Predicate<Bytes> under(int table) {
        return key -> key.size() > 0 && (key.buffer().get(0) & 0xFF) == table;
    }

    private static Commit withChanges(Commit commit, List<Change> changes) {
        return new Commit(commit.conditions(), changes);
    }

    /** The last writer wins: what is changed is not compared with what was read. */
    static final class LostUpdate extends MutantEngine {
        LostUpdate(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            Set<Bytes> changed =
                    Set.copyOf(commit.changes().stream().map(Change::key).toList());
            return super.commit(
                    new Commit(
                            commit.conditions().stream()
                                    .filter(condition -> !changed.contains(condition.key()))
                                    .toList(),
                            commit.changes()),
                    level);
        }
    }

    /** Nobody looks who owns. */
    static final class UnfencedWrite extends MutantEngine {
        UnfencedWrite(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            boolean claims = commit.changes().stream().map(Change::key).anyMatch(under(HOLDERS));
            return super.commit(
                    claims
                            ? commit
                            : new Commit(
                                    commit.conditions().stream()
                                            .filter(condition -> !under(HOLDERS).test(condition.key()))
                                            .toList(),
                                    commit.changes()),
                    level);
        }
    }

    /** One write in seven fails, and the answer is that it was applied. */
    static final class SwallowedWriteError extends MutantEngine {
        private final AtomicInteger commits = new AtomicInteger();

        SwallowedWriteError(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            if (commits.incrementAndGet() % 7 != 0) {
                return super.commit(commit, level);
            }
            return super.commit(withChanges(commit, List.of()), level);
        }
    }

    /** What is deleted comes back. */
    static final class ResurrectedDelete extends MutantEngine {
        ResurrectedDelete(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            List<Change> puts = commit.changes().stream()
                    .filter(Change.Put.class::isInstance)
                    .toList();
            return super.commit(withChanges(commit, puts), level);
        }
    }

    /** The counters of epochs are forgotten. */
    static final class ReusedEpoch extends MutantEngine {
        ReusedEpoch(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            List<Change> others = commit.changes().stream()
                    .filter(change -> !under(COUNTERS).test(change.key()))
                    .toList();
            return super.commit(withChanges(commit, others), level);
        }
    }

    /** What was written of some records is gone when it is opened again: it had reached no disk. */
    static final class Forgetful extends MutantEngine {
        private static final int ALL = 10_000;

        private Forgetful(Engine good, int table) {
            super(good);
            KeyRange forgotten = new KeyRange(Bytes.of((byte) table), Bytes.of((byte) (table + 1)));
            List<Change> deletes = now(good.scan(forgotten, ALL)).entries().stream()
                    .map(entry -> Change.delete(entry.key()))
                    .toList();
            now(good.commit(List.of(new Commit(List.of(), deletes)), Durability.DISK)
                    .get(0));
        }

        static Forgetful ofHolders(Engine good) {
            return new Forgetful(good, HOLDERS);
        }

        static Forgetful ofPositions(Engine good) {
            return new Forgetful(good, POSITIONS);
        }

        /** The engine in memory has answered when it returns. */
        private static <T> T now(CompletionStage<T> answer) {
            return answer.toCompletableFuture().join();
        }
    }

    /** Whatever began anew says that it did not. */
    static final class SameIncarnation extends MutantEngine {
        SameIncarnation(Engine good) {
            super(good);
        }

        @Override
        public String incarnation() {
            return "the only one";
        }
    }

    /** Of a commit with several changes, the last is sometimes lost on the way. */
    static final class TornCommit extends MutantEngine {
        private final AtomicInteger commits = new AtomicInteger();

        TornCommit(Engine good) {
            super(good);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            List<Change> changes = commit.changes();
            boolean torn = changes.size() > 2 && commits.incrementAndGet() % 3 == 0;
            return super.commit(torn ? withChanges(commit, changes.subList(0, changes.size() - 1)) : commit, level);
        }
    }

    /** Capitals and small letters are one. */
    static final class FoldedKeys extends MutantEngine {
        FoldedKeys(Engine good) {
            super(good);
        }

        private static Bytes folded(Bytes key) {
            byte[] bytes = key.toArray();
            // the first byte is the table
            for (int n = 1; n < bytes.length; n++) {
                bytes[n] = bytes[n] >= 'A' && bytes[n] <= 'Z' ? (byte) (bytes[n] + 32) : bytes[n];
            }
            return Bytes.of(bytes);
        }

        @Override
        CompletionStage<CommitResult> commit(Commit commit, Durability level) {
            return super.commit(
                    new Commit(
                            commit.conditions().stream()
                                    .map(condition -> new Condition(folded(condition.key()), condition.revision()))
                                    .toList(),
                            commit.changes().stream().map(FoldedKeys::folded).toList()),
                    level);
        }

        private static Change folded(Change change) {
            return change instanceof Change.Put put
                    ? new Change.Put(folded(put.key()), put.value(), put.lease())
                    : Change.delete(folded(change.key()));
        }

        @Override
        public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
            return super.read(keys.stream().map(FoldedKeys::folded).toList());
        }
    }

    /** A page that is not the last one leaves out one of its entries. */
    static final class LeakingPage extends MutantEngine {
        LeakingPage(Engine good) {
            super(good);
        }

        @Override
        public CompletionStage<Slice> scan(KeyRange range, int limit) {
            return super.scan(range, limit).thenApply(slice -> {
                int size = slice.entries().size();
                if (!slice.more() || size < 2) {
                    return slice;
                }
                List<Entry> entries = new ArrayList<>(slice.entries());
                entries.remove(size - 2);
                return new Slice(entries, slice.revision(), true);
            });
        }
    }
}
