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
package org.apache.eventmesh.state.core.commit;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * One run. At any time one step is under way: a read, a decision, the wait for a turn, or a commit; so nothing here runs
 * concurrently but {@link #withdraw}.
 *
 * <p>The first decision may rest on entries that are only {@linkplain Remembered remembered}, and a later one on entries of
 * several moments. What it writes then conditions on each of which it is not known that it was there together with the
 * latest; an answer or a failure that rests on such an entry is decided again on what is there now.
 */
final class Transaction<R> implements Withdrawable {
    private final Backend backend;
    private final Operation operation;
    private final Durability level;
    private final Decider<R> decider;
    private final Seen seen = new Seen();

    /**
     * Keys in {@link #seen} whose entries are only remembered, were left by a write of before, or are of an earlier moment
     * than others. All others are of one moment.
     */
    private final Set<Bytes> unsure = new LinkedHashSet<>();

    private final CompletableFuture<R> outcome = new CompletableFuture<>();

    /** Guarded by this; the commit whose fate is awaited. */
    private @Nullable Submission submission;

    /** Guarded by this; among the writers on the keys that it relies on and changes. */
    private Turns.@Nullable Turn turn;

    /** Guarded by this. */
    private boolean withdrawn;

    private volatile boolean applied;

    Transaction(Backend backend, Operation operation, Durability level, Decider<R> decider) {
        this.backend = backend;
        this.operation = operation;
        this.level = level;
        this.decider = decider;
    }

    /** The outcome, on a thread of the core or the engine; it may stay open when the transaction is withdrawn. */
    CompletionStage<R> start(Collection<Bytes> keys) {
        CompletionStage<R> end = outcome.whenComplete((result, failure) -> endTurn());
        read(keys);
        return end;
    }

    /** Whether its commit was applied. */
    boolean applied() {
        return applied;
    }

    @Override
    public synchronized boolean withdraw() {
        withdrawn = true;
        boolean nothing = submission == null || submission.withdraw();
        if (nothing) {
            endTurn();
        }
        return nothing;
    }

    private synchronized boolean withdrawn() {
        return withdrawn;
    }

    private void read(Collection<Bytes> keys) {
        if (withdrawn()) {
            return;
        }
        List<Bytes> asked = List.copyOf(keys);
        Optional<List<Entry>> remembered = backend.remembered().all(asked);
        if (remembered.isPresent()) {
            seen.put(asked, remembered.get());
            allUnsure();
            decide();
        } else {
            readNow(asked);
        }
    }

    private void readNow(Collection<Bytes> wanted) {
        Set<Bytes> all = new LinkedHashSet<>(wanted);
        // an answer must not rest on a fence of one moment and a record of another
        all.addAll(seen.keys());
        List<Bytes> asked = List.copyOf(all);
        backend.read(asked).whenComplete((found, failure) -> {
            if (failure == null) {
                backend.remembered().read(asked, found);
                sure(asked, found);
                decide();
            } else {
                outcome.completeExceptionally(failure);
            }
        });
    }

    private void sure(List<Bytes> keys, List<Entry> now) {
        seen.put(keys, now);
        keys.forEach(unsure::remove);
    }

    private void allUnsure() {
        unsure.addAll(seen.keys());
    }

    /** Looks at what was only remembered, and decides again. */
    private void makeSure() {
        readNow(unsure);
    }

    private void decide() {
        if (withdrawn()) {
            return;
        }
        try {
            Decision<R> decision = decider.decide(seen);
            if (decision instanceof Decision.ReadMore<R> more) {
                readMore(more.keys());
            } else if (decision instanceof Decision.Write<R> write) {
                write(write);
            } else if (!unsure.isEmpty()) {
                makeSure();
            } else if (decision instanceof Decision.Answer<R> answer) {
                outcome.complete(answer.result());
            }
        } catch (RuntimeException | Error e) {
            if (unsure.isEmpty()) {
                outcome.completeExceptionally(e);
            } else {
                makeSure();
            }
        }
    }

    private void readMore(Collection<Bytes> keys) {
        if (keys.stream().allMatch(seen::knows)) {
            throw new IllegalStateException("a decision asks for nothing new");
        }
        read(keys);
    }

    /** Hands it in, if it is its turn; otherwise decides again when the turn has come. */
    private void write(Decision.Write<R> write) {
        Commit commit = conditionedOnAllUnsure(write.commit());
        Limits limits = backend.engine().limits();
        if (!unsure.isEmpty() && commit.conditions().size() + commit.changes().size() > limits.maxOperations()) {
            makeSure();
            return;
        }
        Submission handedIn;
        synchronized (this) {
            if (withdrawn || !isTurn(commit)) {
                return;
            }
            // what they are is not known until the fate of this commit is
            backend.remembered().forget(commit.changes());
            handedIn = backend.queue().submit(commit, level);
            submission = handedIn;
        }
        handedIn.fate().whenComplete((fate, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else if (fate instanceof CommitResult.Applied applied) {
                applied(write, applied.revision());
            } else {
                again(commit, fate);
            }
        });
    }

    private Commit conditionedOnAllUnsure(Commit commit) {
        if (unsure.isEmpty()) {
            return commit;
        }
        Map<Bytes, Condition> conditions = new LinkedHashMap<>();
        commit.conditions().forEach(condition -> conditions.put(condition.key(), condition));
        unsure.forEach(key -> conditions.putIfAbsent(key, seen.unchanged(key)));
        return new Commit(List.copyOf(conditions.values()), commit.changes());
    }

    private synchronized boolean isTurn(Commit commit) {
        Set<Bytes> keys = new HashSet<>();
        commit.conditions().forEach(condition -> keys.add(condition.key()));
        keys.retainAll(commit.changes().stream().map(Change::key).toList());
        if (turn == null || !turn.covers(keys)) {
            endTurn();
            turn = backend.turns().take(keys, this::turnCame);
        }
        return turn.isMine();
    }

    private void turnCame(Map<Bytes, Optional<Entry>> left) {
        synchronized (this) {
            if (withdrawn) {
                return;
            }
        }
        // the fate of the write before this one may have been unknown for so long that others have written since
        if (!left.isEmpty()) {
            left.forEach(seen::put);
            allUnsure();
        }
        decide();
    }

    private synchronized void endTurn() {
        if (turn != null) {
            turn.end();
        }
    }

    private synchronized void endTurn(Commit written, long revision) {
        if (turn != null) {
            turn.end(written.changes(), revision);
        }
    }

    private void applied(Decision.Write<R> write, long revision) {
        applied = true;
        backend.remembered().written(write.commit().changes(), revision);
        endTurn(write.commit(), revision);
        try {
            outcome.complete(write.result().apply(revision));
        } catch (RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }

    private void again(Commit commit, CommitResult fate) {
        synchronized (this) {
            // refused: until the next one is handed in, nothing of this operation is under way
            submission = null;
            if (withdrawn) {
                endTurn();
                return;
            }
        }
        if (fate instanceof CommitResult.Refused refused) {
            List<Bytes> conditioned =
                    commit.conditions().stream().map(Condition::key).toList();
            backend.remembered().read(conditioned, refused.current());
            conflicting(commit, refused.current());
            // what else was seen is of an earlier moment than these
            allUnsure();
            sure(conditioned, refused.current());
            decide();
        } else if (fate instanceof CommitResult.LeaseEnded ended && seen.noteEnded(ended.lease())) {
            decide();
        } else {
            outcome.completeExceptionally(new StoreUnavailableException(
                    "the lease ended under which the write was to stand; nothing was applied, try again"));
        }
    }

    /** Nobody conflicts with a write that rested on something old. */
    private void conflicting(Commit commit, List<Entry> current) {
        Bytes broken = firstBroken(commit.conditions(), current);
        if (!unsure.contains(broken)) {
            backend.callbacks().tell(to -> to.conflicting(operation.store(), operation.name(), KeyText.of(broken)));
        }
    }

    private static Bytes firstBroken(List<Condition> conditions, List<Entry> current) {
        for (Condition condition : conditions) {
            long present = current.stream()
                    .filter(entry -> entry.key().equals(condition.key()))
                    .mapToLong(Entry::revision)
                    .findFirst()
                    .orElse(Condition.ABSENT);
            if (present != condition.revision()) {
                return condition.key();
            }
        }
        return conditions.get(0).key();
    }
}
