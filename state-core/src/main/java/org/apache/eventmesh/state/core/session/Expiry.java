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
package org.apache.eventmesh.state.core.session;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * One sweep of expired sessions: each ends in a commit of its own, which finds out whether somebody kept it alive. A session
 * that cannot be decoded is reported and stays, and keeps no other.
 */
final class Expiry {
    /** Sessions that end at a time. */
    private static final int PAGE = 128;

    /** After so many pages the caller is to call again, however few of their sessions could be ended. */
    private static final int PAGES = 100;

    private final Steps steps;
    private final int limit;
    private final long now;
    private long count;
    private int pages;

    Expiry(Steps steps, int limit, long now) {
        this.steps = steps;
        this.limit = limit;
        this.now = now;
    }

    CompletionStage<Swept> run() {
        return page(SessionKeys.expired(now));
    }

    private CompletionStage<Swept> page(KeyRange rest) {
        pages++;
        return steps.scan(rest, (int) Math.min(PAGE, limit - count)).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            List<CompletableFuture<Boolean>> ends = entries.stream()
                    .map(entry -> end(entry.key()).toCompletableFuture())
                    .toList();
            return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                    .thenCompose(all -> {
                        count += ends.stream().filter(CompletableFuture::join).count();
                        return slice.more() && count < limit && pages < PAGES
                                ? page(rest.after(
                                        entries.get(entries.size() - 1).key()))
                                : CompletableFuture.completedStage(new Swept(count, slice.more()));
                    });
        });
    }

    private CompletionStage<Boolean> end(Bytes listed) {
        CompletionStage<Boolean> ended;
        try {
            SessionEnd end = new SessionEnd(SessionKeys.readSessionByExpiry(listed));
            ended = steps.transact(end.keys(), seen -> end.ifExpired(seen, listed, now));
        } catch (CorruptStateException e) {
            ended = CompletableFuture.failedStage(e);
        }
        return ended.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof CorruptStateException || cause instanceof IncompatibleFormatException) {
                Unreadable record = Codec.unreadable(listed, (StateStoreException) cause);
                steps.backend().callbacks().tell(to -> to.unreadable(StoreName.SESSIONS, record));
                return false;
            }
            throw new CompletionException(cause);
        });
    }
}
