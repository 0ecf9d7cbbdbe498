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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Granted;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.etcd.client.MemberStatus;
import org.apache.eventmesh.state.etcd.client.Range;
import org.apache.eventmesh.state.etcd.client.RangeAnswer;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.etcd.client.WatchSink;
import org.apache.eventmesh.state.etcd.client.WatchStream;
import org.apache.eventmesh.state.value.Bytes;

/** A client with a small etcd inside, whose answers to transactions that write are lost, held or refused as told. */
final class ScriptedEtcd implements EtcdClient {
    /** What becomes of one transaction that writes. */
    sealed interface Fate {
        /** Done, and answered. */
        record Done() implements Fate {}

        /** Done, and the answer is lost. */
        record LostAfter() implements Fate {}

        /** Lost on the way; it never arrives. */
        record LostBefore() implements Fate {}

        /** The answer is lost, and the transaction arrives when {@link #arrive} is called. */
        record Late() implements Fate {}

        /** Arrives, and is answered, when {@link #arrive} is called. */
        record Held() implements Fate {}

        /** Fails like this, and does nothing. */
        record Refused(Failure failure) implements Fate {}

        /** Done, and fails like this. */
        record RefusedAfter(Failure failure) implements Fate {}
    }

    private record Stored(Bytes value, long revision, long lease) {}

    private final TreeMap<Bytes, Stored> keys = new TreeMap<>();
    private final Set<Long> leases = new HashSet<>();
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final Deque<Runnable> beforeReads = new ArrayDeque<>();
    private final Deque<Runnable> onTheWay = new ArrayDeque<>();
    private final List<Txn> written = new ArrayList<>();
    private final List<WatchSink> streams = new ArrayList<>();
    private long cluster = 7;
    private long revision = 1;
    private long lastLease = 100;
    private String version = "3.5.16";
    private volatile Optional<Failure> statusFailure = Optional.empty();
    private boolean closed;
    private boolean cut;

    /** What becomes of the next transactions that write, in order; behind them, all is well. */
    synchronized void next(Fate... next) {
        fates.addAll(List.of(next));
    }

    /** What happens just before the next transactions that only read, in order. */
    synchronized void beforeReads(Runnable... happens) {
        beforeReads.addAll(List.of(happens));
    }

    /** All transactions that write, as they were sent. */
    synchronized List<Txn> written() {
        return List.copyOf(written);
    }

    /** Lets one arrive that is held or late: the oldest. */
    void arrive() {
        Runnable oldest;
        synchronized (this) {
            oldest = onTheWay.removeFirst();
        }
        oldest.run();
    }

    /** From now on nothing can be sent, or again. */
    synchronized void cut(boolean now) {
        cut = now;
    }

    synchronized void versionIs(String now) {
        version = now;
    }

    /** From now on the servers do not tell their state, for this reason. */
    void statusFails(Failure why) {
        statusFailure = Optional.of(why);
    }

    synchronized void endLease(long lease) {
        leases.remove(lease);
        keys.values().removeIf(stored -> stored.lease() == lease);
        revision++;
    }

    /** All leases but those that were granted to the caller. */
    synchronized Set<Long> leases() {
        return Set.copyOf(leases);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Somebody restores a snapshot. */
    synchronized void moveBack(long to) {
        revision = to;
        keys.replaceAll((key, stored) -> new Stored(stored.value(), Math.min(to, stored.revision()), stored.lease()));
    }

    synchronized void put(Bytes key, Bytes value) {
        keys.put(key, new Stored(value, ++revision, 0));
    }

    synchronized void delete(Bytes key) {
        keys.remove(key);
        revision++;
    }

    synchronized List<Bytes> keys() {
        return List.copyOf(keys.keySet());
    }

    @Override
    public CompletionStage<TxnAnswer> transact(Txn txn, Duration deadline) {
        CompletableFuture<TxnAnswer> answer = new CompletableFuture<>();
        Fate fate = null;
        Runnable meanwhile = null;
        synchronized (this) {
            if (cut) {
                return CompletableFuture.failedStage(failure(Failure.NOT_SENT));
            }
            if (writes(txn)) {
                written.add(txn);
                fate = fates.pollFirst();
            } else {
                meanwhile = beforeReads.pollFirst();
            }
        }
        if (meanwhile != null) {
            meanwhile.run();
        }
        if (namesThePast(txn)) {
            return CompletableFuture.failedStage(failure(Failure.COMPACTED));
        }
        if (fate == null || fate instanceof Fate.Done) {
            answer(txn, answer);
        } else if (fate instanceof Fate.LostAfter) {
            answer(txn, new CompletableFuture<>());
            answer.completeExceptionally(failure(Failure.LOST));
        } else if (fate instanceof Fate.LostBefore) {
            answer.completeExceptionally(failure(Failure.LOST));
        } else if (fate instanceof Fate.Late) {
            synchronized (this) {
                onTheWay.add(() -> answer(txn, new CompletableFuture<>()));
            }
            answer.completeExceptionally(failure(Failure.LOST));
        } else if (fate instanceof Fate.Held) {
            synchronized (this) {
                onTheWay.add(() -> answer(txn, answer));
            }
        } else if (fate instanceof Fate.Refused refused) {
            answer.completeExceptionally(failure(refused.failure()));
        } else if (fate instanceof Fate.RefusedAfter refused) {
            answer(txn, new CompletableFuture<>());
            answer.completeExceptionally(failure(refused.failure()));
        }
        return answer;
    }

    /** It keeps no history: every revision before the present one is compacted. */
    private synchronized boolean namesThePast(Txn txn) {
        return txn.then().stream()
                .anyMatch(step -> step instanceof Step.Get get && get.revision() != 0 && get.revision() < revision);
    }

    private static boolean writes(Txn txn) {
        return txn.then().stream().anyMatch(step -> !(step instanceof Step.Get));
    }

    private void answer(Txn txn, CompletableFuture<TxnAnswer> to) {
        TxnAnswer done;
        synchronized (this) {
            if (namesEndedLease(txn)) {
                done = null;
            } else {
                long before = revision;
                done = apply(txn, before + 1);
                revision = changed ? before + 1 : before;
                changed = false;
            }
        }
        if (done == null) {
            to.completeExceptionally(failure(Failure.NO_LEASE));
        } else {
            to.complete(withHeader(done, header()));
        }
    }

    /** Whether the transaction under way has changed anything. */
    private boolean changed;

    private List<Step> branch(Txn txn) {
        return holds(txn) ? txn.then() : txn.otherwise();
    }

    private boolean holds(Txn txn) {
        for (Compare compare : txn.compares()) {
            Stored stored = keys.get(compare.key());
            if ((stored == null ? 0 : stored.revision()) != compare.revision()) {
                return false;
            }
        }
        return true;
    }

    private boolean namesEndedLease(Txn txn) {
        for (Step step : branch(txn)) {
            if (step instanceof Step.Put put && put.lease() != 0 && !leases.contains(put.lease())) {
                return true;
            }
            if (step instanceof Step.Nested nested && namesEndedLease(nested.txn())) {
                return true;
            }
        }
        return false;
    }

    private TxnAnswer apply(Txn txn, long at) {
        boolean held = holds(txn);
        List<Entry> entries = new ArrayList<>();
        List<TxnAnswer> nested = new ArrayList<>();
        for (Step step : held ? txn.then() : txn.otherwise()) {
            if (step instanceof Step.Put put) {
                keys.put(put.key(), new Stored(put.value(), at, put.lease()));
                changed = true;
            } else if (step instanceof Step.Delete delete) {
                changed |= keys.remove(delete.key()) != null;
            } else if (step instanceof Step.Get get && keys.containsKey(get.key())) {
                entries.add(entry(get.key()));
            } else if (step instanceof Step.Nested within) {
                nested.add(apply(within.txn(), at));
            }
        }
        return new TxnAnswer(new Header(0, 0, 0, 0), held, entries, nested);
    }

    private Entry entry(Bytes key) {
        Stored stored = keys.get(key);
        return new Entry(key, stored.value(), stored.revision());
    }

    private static TxnAnswer withHeader(TxnAnswer answer, Header header) {
        return new TxnAnswer(
                header,
                answer.succeeded(),
                answer.entries(),
                answer.nested().stream().map(one -> withHeader(one, header)).toList());
    }

    private synchronized Header header() {
        return new Header(cluster, 1, revision, 1);
    }

    @Override
    public synchronized CompletionStage<RangeAnswer> range(Range range, Duration deadline) {
        if (cut) {
            return CompletableFuture.failedStage(failure(Failure.NOT_SENT));
        }
        List<Entry> entries = keys.keySet().stream()
                .filter(key -> range.to() == null
                        ? key.equals(range.from())
                        : key.compareTo(range.from()) >= 0 && key.compareTo(range.to()) < 0)
                .map(this::entry)
                .toList();
        boolean more = range.limit() > 0 && entries.size() > range.limit();
        return CompletableFuture.completedStage(
                new RangeAnswer(header(), more ? entries.subList(0, (int) range.limit()) : entries, more));
    }

    @Override
    public CompletionStage<Void> checkHistory(Bytes key, long of, Duration deadline) {
        throw new UnsupportedOperationException("watches are tested on real servers");
    }

    /** Brings nothing by itself; what comes of changes is tested on real servers. */
    @Override
    public synchronized WatchStream watch(KeyRange range, long fromRevision, WatchSink sink) {
        streams.add(sink);
        return new WatchStream() {
            @Override
            public void requestProgress() {
                // answered never
            }

            @Override
            public void close() {
                synchronized (ScriptedEtcd.this) {
                    streams.remove(sink);
                }
            }
        };
    }

    /** The streams that are open. */
    synchronized List<WatchSink> streams() {
        return List.copyOf(streams);
    }

    @Override
    public synchronized CompletionStage<Granted> grant(long seconds, Duration deadline) {
        leases.add(++lastLease);
        return CompletableFuture.completedStage(new Granted(header(), lastLease, seconds));
    }

    @Override
    public synchronized CompletionStage<Long> keepAliveOnce(long lease, Duration deadline) {
        return timeToLive(lease, deadline);
    }

    @Override
    public synchronized CompletionStage<Long> timeToLive(long lease, Duration deadline) {
        return CompletableFuture.completedStage(leases.contains(lease) ? 60L : 0L);
    }

    @Override
    public CompletionStage<Void> revoke(long lease, Duration deadline) {
        endLease(lease);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized CompletionStage<MemberStatus> status(Duration deadline) {
        return CompletableFuture.completedStage(
                new MemberStatus(header(), "scripted:1", version, 0, 1, false, List.of()));
    }

    @Override
    public CompletionStage<List<MemberStatus>> statuses(Duration deadline) {
        return statusFailure.isPresent()
                ? CompletableFuture.failedStage(failure(statusFailure.get()))
                : status(deadline).thenApply(List::of);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private static EtcdCallException failure(Failure failure) {
        return new EtcdCallException(failure, "transact in a scripted etcd: " + failure, null);
    }
}
