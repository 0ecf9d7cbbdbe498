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
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayRecordsTest {
    private static final Partition PARTITION = new Partition("orders", 3);
    private static final ReplayKey KEY =
            new ReplayKey(new DeadLetterId(PARTITION, 101, Subscriber.group("billing")), RequestKey.of("once"));

    @Test
    void a_request_waits_in_the_queue_of_its_partition_and_a_result_does_not() {
        List<Bytes> keys = apply(List.of(), ReplayRecords.queued(KEY, 42, 1000));

        assertThat(keys).containsExactlyInAnyOrder(KEY.bytes(), KEY.queued());
        assertThat(ReplayKey.queuedIn(PARTITION).contains(KEY.queued())).isTrue();
        assertThat(ReplayKey.queuedIn(new Partition("orders", 4)).contains(KEY.queued()))
                .isFalse();
        assertThat(ReplayKey.readQueued(KEY.queued())).isEqualTo(KEY);

        DeliveryId delivery = new DeliveryId(PARTITION, "incarnation", 70_001);
        keys = apply(keys, ReplayRecords.replayed(KEY, Optional.empty(), 42, delivery, 2000));
        assertThat(keys).containsExactlyInAnyOrder(KEY.bytes(), KEY.byTime(2000));
        assertThat(ReplayKey.readByTime(KEY.byTime(2000))).isEqualTo(new ReplayKey.Done(2000, KEY));
    }

    @Test
    void a_result_keeps_what_was_asked() {
        ReplayRecord queued = record(ReplayRecords.queued(KEY, 42, 1000));
        ReplayRecord refused = record(ReplayRecords.refused(KEY, queued, ReplayRecord.State.CHANGED, 2000));

        assertThat(refused.getDeadLetterRevision()).isEqualTo(42);
        assertThat(refused.getRequestedAtMillis()).isEqualTo(1000);
        assertThat(refused.getDoneAtMillis()).isEqualTo(2000);
        assertThat(refused.getState()).isEqualTo(ReplayRecord.State.CHANGED);
    }

    @Test
    void forgetting_a_result_leaves_nothing() {
        List<Change> changes = ReplayRecords.replayed(
                KEY, Optional.empty(), 42, new DeliveryId(PARTITION, "incarnation", 70_001), 2000);

        assertThat(apply(apply(List.of(), changes), ReplayRecords.removal(KEY, record(changes))))
                .isEmpty();
    }

    private static ReplayRecord record(List<Change> changes) {
        Change.Put put = (Change.Put) changes.get(0);
        return Records.REPLAY.decode(put.key(), put.value());
    }

    private static List<Bytes> apply(List<Bytes> before, List<Change> changes) {
        List<Bytes> keys = new ArrayList<>(before);
        for (Change change : changes) {
            keys.remove(change.key());
            if (change instanceof Change.Put) {
                keys.add(change.key());
            }
        }
        return keys;
    }
}
