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

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * One user's handle on a shared engine. Closing it ends its watches with {@code Lost}; calls under way still finish, and
 * leases that were granted through it live until they are revoked or due.
 */
final class SharedEngine implements Engine {
    private final Engine engine;
    private final String uri;
    private final Runnable release;
    private final Set<HandleWatch> watches = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    SharedEngine(Engine engine, String uri, Runnable release) {
        this.engine = engine;
        this.uri = uri;
        this.release = release;
    }

    @Override
    public String incarnation() {
        return open().incarnation();
    }

    @Override
    public Limits limits() {
        return open().limits();
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        return closed.get()
                ? commits.stream().map(commit -> this.<CommitResult>failed()).toList()
                : engine.commit(commits, level);
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return unlessClosed(() -> engine.read(keys));
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return unlessClosed(() -> engine.scan(range, limit));
    }

    @Override
    public long syncedRevision() {
        return open().syncedRevision();
    }

    @Override
    public Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        HandleWatch watch = new HandleWatch(listener);
        watches.add(watch);
        try {
            watch.inner = open().watch(range, afterRevision, watch);
        } catch (RuntimeException | Error e) {
            watches.remove(watch);
            throw e;
        }
        if (closed.get()) {
            watch.lose();
        }
        return watch;
    }

    @Override
    public CompletionStage<Lease> lease(Duration timeToLive) {
        return unlessClosed(() -> engine.lease(timeToLive).thenApply(lease -> new HandleLease(this, lease)));
    }

    @Override
    public CompletionStage<Duration> remaining(long leaseId) {
        return unlessClosed(() -> engine.remaining(leaseId));
    }

    @Override
    public CompletionStage<Void> checkpoint(Path directory) {
        return unlessClosed(() -> engine.checkpoint(directory));
    }

    @Override
    public EngineHealth health() {
        return open().health();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watches.forEach(HandleWatch::lose);
            release.run();
        }
    }

    private <T> CompletionStage<T> unlessClosed(Supplier<CompletionStage<T>> call) {
        return closed.get() ? failed() : call.get();
    }

    private <T> CompletionStage<T> failed() {
        return CompletableFuture.failedStage(closedException());
    }

    private Engine open() {
        if (closed.get()) {
            throw closedException();
        }
        return engine;
    }

    private StoreClosedException closedException() {
        return new StoreClosedException("this handle on " + uri + " is closed; open another");
    }

    /** A lease is used through the handle that granted it, so it ends being of use with that. */
    private record HandleLease(SharedEngine handle, Lease lease) implements Lease {
        @Override
        public long id() {
            return lease.id();
        }

        @Override
        public CompletionStage<Boolean> renew() {
            return handle.unlessClosed(lease::renew);
        }

        @Override
        public CompletionStage<Void> revoke() {
            return handle.unlessClosed(lease::revoke);
        }
    }

    /** A watch that ends with the handle, and that the handle forgets when it ends by itself. */
    private final class HandleWatch implements Watch, WatchListener {
        private final WatchListener listener;
        private volatile @Nullable Watch inner;

        HandleWatch(WatchListener listener) {
            this.listener = listener;
        }

        @Override
        public void on(WatchEvent event) {
            if (event instanceof WatchEvent.Lost) {
                watches.remove(this);
            }
            listener.on(event);
        }

        void lose() {
            Watch started = inner;
            if (started instanceof LocalWatch local) {
                local.lose("closed");
            } else if (started != null) {
                started.close();
            }
        }

        @Override
        public void close() {
            watches.remove(this);
            Watch started = inner;
            if (started != null) {
                started.close();
            }
        }
    }
}
