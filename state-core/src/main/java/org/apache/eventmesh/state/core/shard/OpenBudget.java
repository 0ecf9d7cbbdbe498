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

import java.util.concurrent.atomic.AtomicLong;

/** How many deliveries may be open in all loops of a store set together: their indexes live in memory. */
public final class OpenBudget {
    private final int limit;
    private final AtomicLong open = new AtomicLong();

    public OpenBudget(int limit) {
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    /** Whether so many more may be opened. Loops ask at the same time, so the limit may be passed by a batch. */
    boolean room(long more) {
        return open.get() + more <= limit;
    }

    void add(long more) {
        open.addAndGet(more);
    }
}
