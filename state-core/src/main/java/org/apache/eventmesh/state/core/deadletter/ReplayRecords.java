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
package org.apache.eventmesh.state.core.deadletter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.DeliveryId;

/** The record of a replay: the request while it waits for the owner, then the first result. */
public final class ReplayRecords {
    private ReplayRecords() {}

    /** A request that the owner of the partition will finish. The commit conditions on the letter, and on no record here. */
    public static List<Change> queued(ReplayKey key, long letterRevision, long now) {
        ReplayRecord record = ReplayRecord.newBuilder()
                .setState(ReplayRecord.State.QUEUED)
                .setDeadLetterRevision(letterRevision)
                .setRequestedAtMillis(now)
                .build();
        return List.of(Records.REPLAY.put(key.bytes(), record), Change.put(key.queued(), Records.NOTHING));
    }

    /**
     * The letter became a delivery.
     *
     * @param queued the request, if it waited; the commit conditions on it, in either case
     */
    public static List<Change> replayed(
            ReplayKey key, Optional<ReplayRecord> queued, long letterRevision, DeliveryId delivery, long now) {
        return finished(
                key,
                started(queued, letterRevision, now)
                        .setState(ReplayRecord.State.REPLAYED)
                        .setIncarnation(delivery.incarnation())
                        .setDelivery(delivery.number()),
                now);
    }

    /** A request that waited comes to nothing: its caller learns why when it asks again. */
    public static List<Change> refused(ReplayKey key, ReplayRecord queued, ReplayRecord.State why, long now) {
        return finished(key, queued.toBuilder().setState(why), now);
    }

    /** Forgets a result. */
    public static List<Change> removal(ReplayKey key, ReplayRecord record) {
        return List.of(Change.delete(key.bytes()), Change.delete(key.byTime(record.getDoneAtMillis())));
    }

    private static ReplayRecord.Builder started(Optional<ReplayRecord> queued, long letterRevision, long now) {
        return queued.map(ReplayRecord::toBuilder)
                .orElseGet(() -> ReplayRecord.newBuilder()
                        .setDeadLetterRevision(letterRevision)
                        .setRequestedAtMillis(now));
    }

    private static List<Change> finished(ReplayKey key, ReplayRecord.Builder record, long now) {
        List<Change> changes = new ArrayList<>();
        changes.add(Records.REPLAY.put(key.bytes(), record.setDoneAtMillis(now).build()));
        changes.add(Change.put(key.byTime(now), Records.NOTHING));
        changes.add(Change.delete(key.queued()));
        return changes;
    }
}
