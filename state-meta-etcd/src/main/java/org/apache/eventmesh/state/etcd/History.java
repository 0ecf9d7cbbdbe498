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

import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.etcd.client.Header;
import org.jspecify.annotations.Nullable;

/**
 * What this engine has seen of the cluster's history, and whether an answer goes on from there. A snapshot that was
 * restored in place has another cluster id, or revisions below those that were seen.
 */
final class History {
    private final long cluster;
    private final AtomicLong highest;

    History(Header first) {
        cluster = first.cluster();
        highest = new AtomicLong(first.revision());
    }

    /** Whether the cluster is the one that was opened. */
    boolean isOurs(Header header) {
        return header.cluster() == cluster;
    }

    /** The highest revision seen; an answer to a question asked now must not be below. */
    long highest() {
        return highest.get();
    }

    /**
     * Takes note of an answer.
     *
     * @param asked what {@link #highest()} was before the question was sent; 0 when the answer may be stale
     * @return what is wrong with it; {@code null} when it goes on from what was seen
     */
    @Nullable
    String check(Header header, long asked) {
        if (!isOurs(header)) {
            return "the cluster has another id than when the engine was opened (" + Long.toHexString(header.cluster())
                    + ", was " + Long.toHexString(cluster) + ")";
        }
        if (header.revision() < asked) {
            return "its revision is " + header.revision() + ", and it was " + asked + " before";
        }
        highest.accumulateAndGet(header.revision(), Math::max);
        return null;
    }
}
