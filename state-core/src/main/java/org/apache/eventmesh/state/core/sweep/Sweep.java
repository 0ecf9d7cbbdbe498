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
package org.apache.eventmesh.state.core.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Goes over an index from its beginning and removes what it names, a few at a time, each group in one commit. What somebody
 * changes meanwhile is decided anew; a key that cannot be read keeps nothing else from going.
 */
public final class Sweep {
    /** Keys of an index are small, and their values empty. */
    private static final int SCAN = 256;

    private final Steps steps;
    private final SweepRule rule;
    private final int perCommit;

    /** @param perCommit how many may go in one commit: bounds what is read at once, and the commit */
    public Sweep(Steps steps, int perCommit, SweepRule rule) {
        this.steps = steps;
        this.perCommit = perCommit;
        this.rule = rule;
    }

    /**
     * Runs as an operation of a caller.
     *
     * @param limit removes at most so many
     * @throws IllegalArgumentException when the limit is not positive
     */
    public static CompletionStage<Swept> run(
            Backend backend, Operation operation, int perCommit, SweepRule rule, KeyRange index, int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be positive");
        }
        return Steps.run(backend, operation, steps -> new Sweep(steps, perCommit, rule).run(index, limit));
    }

    /** Removes at most {@code limit}. */
    public CompletionStage<Swept> run(KeyRange index, long limit) {
        return from(index, 0, limit);
    }

    private CompletionStage<Swept> from(KeyRange rest, long done, long limit) {
        return steps.scan(rest, SCAN).thenCompose(slice -> {
            if (slice.entries().isEmpty()) {
                return CompletableFuture.completedStage(new Swept(done, false));
            }
            List<Bytes> group = new ArrayList<>();
            int seen = take(slice.entries(), Math.min(perCommit, limit - done), group);
            return remove(group).thenCompose(removed -> goOn(rest, slice, seen, done + removed, limit));
        });
    }

    private CompletionStage<Swept> goOn(KeyRange rest, Slice slice, int seen, long done, long limit) {
        boolean over = seen == slice.entries().size() && !slice.more();
        if (over || done >= limit) {
            return CompletableFuture.completedStage(new Swept(done, !over));
        }
        return from(rest.after(slice.entries().get(seen - 1).key()), done, limit);
    }

    /** Takes what is wanted; how many entries that went over. */
    private int take(List<Entry> entries, long most, List<Bytes> group) {
        int seen = 0;
        while (seen < entries.size() && group.size() < most) {
            Bytes key = entries.get(seen++).key();
            try {
                if (rule.wants(key)) {
                    group.add(key);
                }
            } catch (CorruptStateException e) {
                // it stays, and a listing names it
            }
        }
        return seen;
    }

    private CompletionStage<Long> remove(List<Bytes> group) {
        if (group.isEmpty()) {
            return CompletableFuture.completedStage(0L);
        }
        Set<Bytes> keys = new LinkedHashSet<>();
        group.forEach(index -> keys.addAll(rule.reads(index)));
        return steps.transact(keys, seen -> decide(group, seen));
    }

    private Decision<Long> decide(List<Bytes> group, Seen seen) {
        Draft draft = new Draft();
        long count =
                group.stream().filter(index -> rule.remove(index, seen, draft)).count();
        return draft.changesNothing() ? Decision.answer(count) : draft.write(count);
    }
}
