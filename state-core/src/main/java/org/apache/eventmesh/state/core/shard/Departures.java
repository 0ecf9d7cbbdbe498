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
package org.apache.eventmesh.state.core.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.eventmesh.state.id.Subscriber;

/** Who left a shard not long ago, by its numbers: what began before does not go on for them. For the shard's own thread. */
public final class Departures {
    private static final int MOST = 10_000;

    /** Withdrawals: an opening that began before opens nothing for them. */
    private final Map<Subscriber, Long> withdrawn = new Recent();

    /** Ends of entries, which a removal ends as well: who began to enter before enters no more. */
    private final Map<Subscriber, Long> ended = new Recent();

    private static final class Recent extends LinkedHashMap<Subscriber, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subscriber, Long> eldest) {
            return size() > MOST;
        }
    }

    Departures() {}

    /** Whether a subscriber was withdrawn after that number was taken. */
    public boolean withdrawnSince(Subscriber subscriber, long number) {
        return withdrawn.getOrDefault(subscriber, 0L) > number;
    }

    /** Whether a subscriber was withdrawn or removed after that number was taken. */
    public boolean endedSince(Subscriber subscriber, long number) {
        return ended.getOrDefault(subscriber, 0L) > number;
    }

    public void withdrawn(Subscriber subscriber, long number) {
        put(withdrawn, subscriber, number);
        put(ended, subscriber, number);
    }

    public void removed(Subscriber subscriber, long number) {
        put(ended, subscriber, number);
    }

    private static void put(Map<Subscriber, Long> recent, Subscriber subscriber, long number) {
        recent.remove(subscriber);
        recent.put(subscriber, number);
    }
}
