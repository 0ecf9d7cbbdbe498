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

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether something may stand in the shared backend of a set of two that should have its delivery in a shard and has none:
 * a course that was to open it has failed, or was given up when its time was over. Nothing in the shard itself tells of it,
 * so whoever recovers goes over all that is marked. For any thread; not durable: whoever loads the shard looks anyway.
 */
public final class Unopened {
    private final AtomicBoolean suspected = new AtomicBoolean();

    public void suspect() {
        suspected.set(true);
    }

    public boolean suspected() {
        return suspected.get();
    }

    /** All is looked for from now on: what is suspected afterwards needs another look. */
    public void looking() {
        suspected.set(false);
    }
}
