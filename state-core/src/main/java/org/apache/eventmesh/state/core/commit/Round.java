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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * What the engine is handed at once: no commit changes a key that another of the round changes or conditions on. A commit
 * that does not fit keeps its keys from those behind it, so that commits on the same key keep their order.
 */
final class Round {
    private final QueueBounds bounds;
    private final List<Submission> taken = new ArrayList<>();
    private final Set<Bytes> changed = new HashSet<>();
    private final Set<Bytes> conditioned = new HashSet<>();
    /** Its keys are not among those above yet: where nothing follows, nobody asks for them. */
    private @Nullable Commit last;

    private long bytes;
    private int examined;
    private Durability level = Durability.PROCESS;

    /** Of what was taken, how many fates nobody was told yet. */
    private final AtomicInteger untold = new AtomicInteger();

    Round(QueueBounds bounds) {
        this.bounds = bounds;
    }

    /** Whether more may be examined: a long queue on one key must not be walked for each of its members. */
    boolean open() {
        return examined < bounds.roundCommits() && bytes < bounds.roundBytes();
    }

    /** Takes it if it fits. */
    boolean take(Submission next) {
        examined++;
        if (last != null) {
            last.conditions().forEach(condition -> conditioned.add(condition.key()));
            last.changes().forEach(change -> changed.add(change.key()));
        }
        Commit commit = next.commit();
        last = commit;
        boolean fits = fits(commit) && (taken.isEmpty() || bytes + next.bytes() <= bounds.roundBytes());
        if (fits) {
            taken.add(next);
            untold.set(taken.size());
            bytes += next.bytes();
            if (next.level() == Durability.DISK) {
                level = Durability.DISK;
            }
        }
        return fits;
    }

    List<Submission> taken() {
        return taken;
    }

    List<Commit> commits() {
        return taken.stream().map(Submission::commit).toList();
    }

    /** The strongest that any of them asks for. */
    Durability level() {
        return level;
    }

    /** So many more fates are told, or will never be: whether these were the last. */
    boolean over(int told) {
        return told > 0 && untold.addAndGet(-told) == 0;
    }

    private boolean fits(Commit commit) {
        for (Change change : commit.changes()) {
            if (changed.contains(change.key()) || conditioned.contains(change.key())) {
                return false;
            }
        }
        for (Condition condition : commit.conditions()) {
            if (changed.contains(condition.key())) {
                return false;
            }
        }
        return true;
    }
}
