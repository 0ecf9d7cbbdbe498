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
package org.apache.eventmesh.state.offset;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;

/**
 * Progress of a subscriber in a partition. A position is the next offset to deliver: every smaller one is settled, or
 * was never meant for this subscriber. Acks move positions by themselves, in the same commit.
 *
 * <p>In a store set over two backends progress is private to the host of the shard's owner and published to the shared one:
 * about every second, at release, and at once for an entry, a reset and a removal. Reads give the newest for a shard that is
 * at home on this host, and for any other what was published last, which may be behind and is never ahead.
 */
public interface OffsetStore {
    /** Empty when never served: not 0, not a failure. */
    CompletionStage<OptionalLong> position(Partition partition, Subscriber subscriber);

    /** By topic: in order of partition, then subscriber. By subscriber: in order of topic, then partition. */
    CompletionStage<Page<Progress>> list(ProgressFilter filter, PageRequest page);

    /**
     * Raises cursors, for subscribers whose deliveries are not tracked here; a subscriber that was never served enters.
     * Idempotent; each subscriber is atomic by itself. Durable at the store set's level.
     *
     * @throws IllegalArgumentException on the caller, when an offset is negative or the handle is of another store set;
     *     then nothing is raised
     */
    CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> advance(Shard shard, Map<Subscriber, Long> to);

    /**
     * Moves a subscriber's cursor backwards or over what the broker has lost; what is open stays open. Conditional on
     * what is expected, which also makes a repeat safe. Always synced.
     *
     * @throws IllegalArgumentException on the caller, when the handle is of another store set
     */
    CompletionStage<ResetResult> reset(Shard shard, Subscriber subscriber, Reset reset);

    /**
     * Forgets a subscriber's progress in this partition; withdraw its deliveries first. Idempotent; always synced.
     *
     * @throws IllegalArgumentException on the caller, when the handle is of another store set
     */
    CompletionStage<RemoveResult> remove(Shard shard, Subscriber subscriber);
}
