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

import java.util.NavigableSet;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.jspecify.annotations.Nullable;

/** One change of the index, with what is needed to take it back and to make it again. */
sealed interface Step {
    /** Makes it. */
    void forth(ShardIndex index);

    /** Takes it back. */
    void back(ShardIndex index);

    /** A delivery opened (before is null), changed, or settled (after is null). */
    record Delivered(
            @Nullable OpenDelivery before, @Nullable OpenDelivery after) implements Step {
        @Override
        public void forth(ShardIndex index) {
            index.replace(before, after);
        }

        @Override
        public void back(ShardIndex index) {
            index.replace(after, before);
        }
    }

    /**
     * A subscriber entered (before is null), moved, or left (after is null).
     *
     * @param damage why its progress could not be read before; its record is written over, or deleted
     */
    record Placed(
            Subscriber subscriber,
            @Nullable Place before,
            @Nullable StateStoreException damage,
            @Nullable Place after) implements Step {
        @Override
        public void forth(ShardIndex index) {
            index.move(subscriber, after, null);
        }

        @Override
        public void back(ShardIndex index) {
            index.move(subscriber, before, damage);
        }
    }

    /** Something is outstanding of a settled delivery (before is null), or not any more (after is null). */
    record Outstanding(
            long number,
            @Nullable OutstandingRecord before,
            @Nullable OutstandingRecord after) implements Step {
        @Override
        public void forth(ShardIndex index) {
            index.aside().outstanding(number, after);
        }

        @Override
        public void back(ShardIndex index) {
            index.aside().outstanding(number, before);
        }
    }

    /** What was a dead letter before counts no more. */
    record DeadBefore(Subscriber subscriber, NavigableSet<Long> before, NavigableSet<Long> after) implements Step {
        @Override
        public void forth(ShardIndex index) {
            index.aside().deadBefore(subscriber, after);
        }

        @Override
        public void back(ShardIndex index) {
            index.aside().deadBefore(subscriber, before);
        }
    }

    /** A fan-out made (before is null), changed, or confirmed (after is null). */
    record FannedOut(
            long offset,
            @Nullable FanOutState before,
            @Nullable FanOutState after) implements Step {
        @Override
        public void forth(ShardIndex index) {
            index.fan(offset, after);
        }

        @Override
        public void back(ShardIndex index) {
            index.fan(offset, before);
        }
    }
}
