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
package org.apache.eventmesh.state.inmemory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * The engine in its plainest form: a sorted map, a revision and one lock. It is the reference that the other engines
 * are read against, and keeps nothing: with the last close everything is gone, whatever {@link Durability} was asked.
 *
 * <p>Every stage is complete when its method returns.
 */
@Experimental
public final class InMemoryEngine implements Engine {
    private static final Limits LIMITS = new Limits(10_000, 16 << 20);

    private final String address;
    private final String incarnation = UUID.randomUUID().toString();

    /** Guarded by this, as all below; null when closed. */
    private @Nullable SortedMap<Bytes, Entry> entries = new TreeMap<>();

    private long revision;

    InMemoryEngine(String address) {
        this.address = address;
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        List<CompletionStage<CommitResult>> fates = new ArrayList<>(commits.size());
        for (Commit commit : commits) {
            fates.add(answer(() -> apply(commit)));
        }
        return fates;
    }

    private CommitResult apply(Commit commit) {
        SortedMap<Bytes, Entry> open = open("a commit");
        checkLimits(commit);
        for (Condition condition : commit.conditions()) {
            Entry present = open.get(condition.key());
            if (condition.revision() != (present == null ? Condition.ABSENT : present.revision())) {
                return new CommitResult.Refused(present(
                        open, commit.conditions().stream().map(Condition::key).toList()));
            }
        }
        if (!commit.changes().isEmpty()) {
            revision++;
        }
        for (Change change : commit.changes()) {
            if (change instanceof Change.Put put) {
                open.put(put.key(), new Entry(put.key(), put.value(), revision));
            } else {
                open.remove(change.key());
            }
        }
        return new CommitResult.Applied(revision);
    }

    private void checkLimits(Commit commit) {
        int operations = commit.conditions().size() + commit.changes().size();
        long bytes = 0;
        for (Condition condition : commit.conditions()) {
            bytes += condition.key().size();
        }
        for (Change change : commit.changes()) {
            bytes += change.key().size();
            if (change instanceof Change.Put put) {
                bytes += put.value().size();
                if (put.lease().isPresent()) {
                    throw new UnsupportedOperationException("this engine does not declare LEASES");
                }
            }
        }
        if (operations > LIMITS.maxOperations() || bytes > LIMITS.maxBytes()) {
            throw new LimitExceededException(
                    "a commit of %d operations and %d bytes for %s; the limits are %d and %d: split it"
                            .formatted(operations, bytes, address, LIMITS.maxOperations(), LIMITS.maxBytes()));
        }
    }

    @Override
    public synchronized CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return answer(() -> present(open("a read"), keys));
    }

    private static List<Entry> present(SortedMap<Bytes, Entry> open, Collection<Bytes> keys) {
        List<Entry> found = new ArrayList<>(keys.size());
        for (Bytes key : new LinkedHashSet<>(keys)) {
            Optional.ofNullable(open.get(key)).ifPresent(found::add);
        }
        return found;
    }

    @Override
    public synchronized CompletionStage<Slice> scan(KeyRange range, int limit) {
        return answer(() -> {
            SortedMap<Bytes, Entry> inside = open("a scan").subMap(range.from(), range.to());
            List<Entry> first = inside.values().stream().limit(limit).toList();
            boolean more = !first.isEmpty()
                    && !inside.lastKey().equals(first.get(first.size() - 1).key());
            return new Slice(first, revision, more);
        });
    }

    @Override
    public synchronized long syncedRevision() {
        open("the synced revision");
        return revision;
    }

    @Override
    public synchronized EngineHealth health() {
        return entries == null
                ? new EngineHealth(false, address, "closed; open it again")
                : new EngineHealth(true, address, "");
    }

    @Override
    public synchronized void close() {
        entries = null;
    }

    private SortedMap<Bytes, Entry> open(String asked) {
        if (entries == null) {
            throw new StoreClosedException(asked + " of " + address + ", which is closed; open it again");
        }
        return entries;
    }

    private static <T> CompletionStage<T> answer(Supplier<T> call) {
        try {
            return CompletableFuture.completedStage(call.get());
        } catch (StateStoreException failure) {
            return CompletableFuture.failedStage(failure);
        }
    }
}
