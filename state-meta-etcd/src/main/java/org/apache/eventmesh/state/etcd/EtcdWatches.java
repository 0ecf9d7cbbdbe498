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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.failure.StoreClosedException;

/**
 * The watches of one engine: each has a stream of its own, and a thread while it has something to tell. Their pauses are
 * of real time; nothing but their liveness hangs on them.
 */
final class EtcdWatches implements AutoCloseable {
    /** How often every stream is asked how far it is: what the SPI calls about a second. */
    private static final Duration LOOK = Duration.ofMillis(400);

    /** A stream that was silent for so long may hang in a connection that is dead. */
    static final Duration DOUBT = Duration.ofMillis(1_500);

    /** A stream that was silent for so long is given up. */
    static final Duration SILENCE = Duration.ofSeconds(4);

    private final EtcdClient client;
    private final KeySpace keys;
    private final String address;
    private final Predicate<Header> ours;
    private final Set<EtcdWatch> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService listeners = Executors.newCachedThreadPool(threads("etcd-watch-"));
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(threads("etcd-watches-"));
    private volatile boolean closed;

    /**
     * @param address of the backend in messages
     * @param ours whether what says this is the cluster that was opened; called under a lock of a watch
     */
    EtcdWatches(EtcdClient client, KeySpace keys, String address, Predicate<Header> ours) {
        this.client = client;
        this.keys = keys;
        this.address = address;
        this.ours = ours;
        var unused = timer.scheduleWithFixedDelay(
                Guarded.periodic(address + ": looking after watches", this::look),
                LOOK.toMillis(),
                LOOK.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory threads(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** As {@link org.apache.eventmesh.state.engine.Engine#watch}. */
    Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        EtcdWatch watch = new EtcdWatch(this, range, afterRevision, listener);
        open.add(watch);
        if (closed) {
            open.remove(watch);
            throw new StoreClosedException("watch " + address + ": the engine is closed; open the store set anew");
        }
        watch.open();
        return watch;
    }

    boolean isOurs(Header header) {
        return ours.test(header);
    }

    /** Every watch that is open ends with {@code Lost}, and its stream. */
    void lost(String why) {
        Set.copyOf(open).forEach(watch -> watch.end(why));
    }

    EtcdClient client() {
        return client;
    }

    CompletionStage<Void> checkHistory(KeyRange range, long revision) {
        return client.checkHistory(keys.stored(range.from()), revision, SILENCE);
    }

    /** What the client says; {@code LOST} when it is none of its failures. */
    static Failure kind(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof EtcdCallException known ? known.failure() : Failure.LOST;
    }

    KeySpace keys() {
        return keys;
    }

    String address() {
        return address;
    }

    void forget(EtcdWatch watch) {
        open.remove(watch);
    }

    void run(Runnable task) {
        try {
            listeners.execute(task);
        } catch (RejectedExecutionException late) {
            if (!closed) {
                throw late;
            }
        }
    }

    void later(long nanos, Runnable task) {
        try {
            var unused = timer.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException late) {
            if (!closed) {
                throw late;
            }
        }
    }

    private void look() {
        boolean doubtful = false;
        for (EtcdWatch watch : open) {
            doubtful |= watch.isSuspect();
            run(watch::look);
        }
        if (doubtful) {
            // a stream has no deadline; a call that stays without an answer shows the client a dead connection
            var unused = client.status(SILENCE);
        }
    }

    /** Every watch ends with {@code Lost}, its stream with the client; its listener hears of it, and this does not wait for that. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        for (EtcdWatch watch : Set.copyOf(open)) {
            watch.lost("the engine of " + address + " is closed");
        }
        listeners.shutdown();
    }
}
