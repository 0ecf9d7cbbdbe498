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
package org.apache.eventmesh.state.core.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/** One listener with its own queue: while it is slow or throws, nobody else waits. */
final class Watcher<V> implements ViewWatch {
    /** Beyond this the queue is dropped, and the listener gets a snapshot instead. */
    private static final int MAX_WAITING = 10_000;

    /** After so many the thread is given back. */
    private static final int AT_ONCE = 256;

    private final TableView<V> view;
    private final ViewListener<V> listener;
    private final Callbacks callbacks;
    private final StoreName store;

    /** Guarded by this, as all below. */
    private final Deque<Change<V>> waiting = new ArrayDeque<>();

    private boolean needsSnapshot;
    private boolean scheduled;
    private boolean closed;

    private record Change<V>(Bytes key, Optional<V> before, Optional<V> now) {}

    Watcher(TableView<V> view, ViewListener<V> listener, Callbacks callbacks, StoreName store) {
        this.view = view;
        this.listener = listener;
        this.callbacks = callbacks;
        this.store = store;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        view.remove(this);
    }

    synchronized void changed(Bytes key, Optional<V> before, Optional<V> now) {
        if (needsSnapshot || closed) {
            return;
        }
        if (waiting.size() < MAX_WAITING) {
            waiting.add(new Change<>(key, before, now));
            schedule();
        } else {
            resynchronise();
            callbacks.tell(
                    to -> to.resynchronised(store, "a listener was too slow: " + MAX_WAITING + " changes waited"));
        }
    }

    synchronized void resynchronise() {
        waiting.clear();
        needsSnapshot = true;
        schedule();
    }

    /** Called by the view when it takes the snapshot: what is enqueued from now on comes after it. */
    synchronized void snapshotTaken() {
        waiting.clear();
        needsSnapshot = false;
    }

    private void schedule() {
        if (!scheduled && !closed) {
            scheduled = true;
            callbacks.listen(this::drain);
        }
    }

    private void drain() {
        for (int i = 0; i < AT_ONCE; i++) {
            boolean snapshot;
            Change<V> change;
            synchronized (this) {
                snapshot = needsSnapshot;
                change = snapshot ? null : waiting.poll();
                if (closed || (!snapshot && change == null)) {
                    scheduled = false;
                    return;
                }
            }
            tell(change);
        }
        callbacks.listen(this::drain);
    }

    private void tell(@Nullable Change<V> change) {
        try {
            if (change == null) {
                listener.resynchronised(view.snapshotFor(this));
            } else {
                listener.changed(change.key(), change.before(), change.now());
            }
        } catch (Throwable e) {
            callbacks.listenerFailed(store, e);
        }
    }
}
