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
package org.apache.eventmesh.state.core.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;

/**
 * Deletes what stood under the leases of an earlier process. Nobody can renew those any more, and nobody else has the
 * engine open, so no condition is needed.
 */
final class EndedLeases {
    private static final int PAGE = 512;

    private final Engine engine;
    private final Duration deadline;

    EndedLeases(Engine engine, Duration deadline) {
        this.engine = engine;
        this.deadline = deadline;
    }

    /**
     * Blocks; may be broken off and done again.
     *
     * @return a revision up to which nothing has to be watched, because nobody could
     */
    long clear(List<KeyRange> leased) {
        for (KeyRange range : leased) {
            KeyRange rest = range;
            boolean more = true;
            while (more) {
                Slice page = await(engine.scan(rest, PAGE));
                delete(page.entries());
                more = page.more();
                if (more) {
                    rest = rest.after(
                            page.entries().get(page.entries().size() - 1).key());
                }
            }
        }
        return Math.max(
                engine.syncedRevision(),
                await(engine.scan(PublishedCommits.LITTLE, 1)).revision());
    }

    private void delete(List<Entry> entries) {
        List<Change> changes = new ArrayList<>();
        int bytes = 0;
        for (Entry entry : entries) {
            int size = entry.key().size();
            if (changes.size() + 1 > engine.limits().maxOperations()
                    || bytes + size > engine.limits().maxBytes()) {
                apply(changes);
                changes = new ArrayList<>();
                bytes = 0;
            }
            changes.add(Change.delete(entry.key()));
            bytes += size;
        }
        if (!changes.isEmpty()) {
            apply(changes);
        }
    }

    private void apply(List<Change> changes) {
        CommitResult result = await(engine.commit(List.of(new Commit(List.of(), changes)), Durability.DISK)
                .get(0));
        if (!(result instanceof CommitResult.Applied)) {
            throw new IllegalStateException("the engine answered a commit without conditions with " + result);
        }
    }

    private <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StateStoreException failure) {
                throw failure;
            }
            throw unavailable("failed", e);
        } catch (TimeoutException e) {
            throw unavailable("did not answer within " + deadline, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("was interrupted", e);
        }
    }

    private StoreUnavailableException unavailable(String how, Exception cause) {
        return new StoreUnavailableException(
                "ending the leases of an earlier process in %s %s; open it again"
                        .formatted(engine.health().backend(), how),
                cause);
    }
}
