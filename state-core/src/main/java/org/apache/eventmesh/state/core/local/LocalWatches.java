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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.WatchListener;

/** The running watches of one engine. */
final class LocalWatches {
    private final History history;
    private final Executor executor;
    private final Set<LocalWatch> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LocalWatches(History history, Executor executor) {
        this.history = history;
        this.executor = executor;
    }

    LocalWatch start(KeyRange range, long afterRevision, WatchListener listener) {
        LocalWatch watch = new LocalWatch(history, range, afterRevision, listener, executor, running::remove);
        running.add(watch);
        if (closed) {
            watch.lose("closed");
        } else {
            watch.signal();
        }
        return watch;
    }

    /** Something was published. */
    void signal() {
        running.forEach(LocalWatch::signal);
    }

    /** Moves those on that nothing of interest came to: their place must not fall out of the history. */
    void catchUp() {
        running.forEach(watch -> {
            if (watch.isBehind()) {
                watch.signal();
            }
        });
    }

    void close() {
        closed = true;
        running.forEach(watch -> watch.lose("closed"));
    }
}
