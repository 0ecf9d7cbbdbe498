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
package org.apache.eventmesh.state.etcd.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The few calls of etcd that the engine makes. Keys are whole: the client adds no prefix.
 *
 * <p>No call waits. Every call with a deadline has its answer by then. A stage that fails carries an
 * {@link EtcdCallException}; it completes on a thread of the client, which must not be held. The client tries other
 * members by itself only while a request has certainly not been taken by one; what may have been done is never sent
 * twice.
 */
public interface EtcdClient extends AutoCloseable {
    /** Does a transaction. */
    CompletionStage<TxnAnswer> transact(Txn txn, Duration deadline);

    /** Reads a range. */
    CompletionStage<RangeAnswer> range(Range range, Duration deadline);

    /**
     * Looks whether the history behind a revision is still whole, as of all that was done before: {@link Failure#COMPACTED}
     * when it was compacted at a later revision, {@link Failure#FUTURE_REVISION} when that revision has not come yet.
     *
     * @param key any that may be read
     */
    CompletionStage<Void> checkHistory(Bytes key, long revision, Duration deadline);

    /**
     * Watches a range on one stream, with a leader required. It never resumes: whatever happens to the stream is told.
     *
     * @param fromRevision the first that is told
     */
    WatchStream watch(KeyRange range, long fromRevision, WatchSink sink);

    /** Grants a lease of at least one second; the server may choose a longer one. */
    CompletionStage<Granted> grant(long seconds, Duration deadline);

    /** Starts the time to live of a lease anew: what is left of it in seconds, 0 when it has ended. */
    CompletionStage<Long> keepAliveOnce(long lease, Duration deadline);

    /** What is left of a lease in seconds, rounded up by at most one; 0 only when it has ended or its time is over. */
    CompletionStage<Long> timeToLive(long lease, Duration deadline);

    /** Ends a lease; no error when it has ended before. */
    CompletionStage<Void> revoke(long lease, Duration deadline);

    /** The state of one member, whichever answers. */
    CompletionStage<MemberStatus> status(Duration deadline);

    /**
     * The state of every member of the address, those left out that do not answer, or much later than the first; fails when
     * none does.
     */
    CompletionStage<List<MemberStatus>> statuses(Duration deadline);

    /** Calls under way fail, streams end; all threads and connections are given back. Twice is once. */
    @Override
    void close();
}
