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

import java.util.Optional;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;

/**
 * What became of a replay so far, as its record says it.
 *
 * @param delivery the new one, when REPLAYED
 */
record ReplayAnswer(ReplayRecord.State state, Optional<DeliveryId> delivery) {
    static ReplayAnswer of(ReplayRecord.State state) {
        return new ReplayAnswer(state, Optional.empty());
    }

    static ReplayAnswer of(Partition partition, ReplayRecord record) {
        return new ReplayAnswer(
                record.getState(),
                record.hasDelivery()
                        ? Optional.of(new DeliveryId(partition, record.getIncarnation(), record.getDelivery()))
                        : Optional.empty());
    }
}
