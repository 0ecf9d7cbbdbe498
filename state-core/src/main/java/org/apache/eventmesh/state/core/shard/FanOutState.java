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

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.eventmesh.state.core.proto.FanOutRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A fan-out that the broker waits for. Its open deliveries are counted by the index; here are the targets that have none
 * yet.
 *
 * @param notOpened never changed
 */
public record FanOutState(FanOutRecord record, Set<Subscriber> notOpened) {
    /**
     * As it was read.
     *
     * @throws org.apache.eventmesh.state.failure.StateStoreException when it cannot be decoded
     */
    static FanOutState read(Entry entry) {
        return SharedValues.value(Records.FAN_OUT.decode(entry), stored -> {
            Set<Subscriber> notOpened = new LinkedHashSet<>();
            stored.record().getNotOpenedList().forEach(target -> notOpened.add(SharedValues.subscriber(target)));
            return new FanOutState(stored.record(), notOpened);
        });
    }

    /** The same with other targets that have no delivery yet. */
    public FanOutState waitingFor(Collection<Subscriber> targets) {
        FanOutRecord.Builder changed = record.toBuilder().clearNotOpened();
        targets.forEach(target -> changed.addNotOpened(SharedValues.subscriber(target)));
        return new FanOutState(changed.build(), new LinkedHashSet<>(targets));
    }

    /** Orders fan-outs by age. */
    public long number() {
        return record.getNumber();
    }

    public Bytes handle() {
        return SharedValues.bytes(record.getBrokerHandle());
    }

    /** As callers see it. */
    public FanOut told(Partition partition, long offset) {
        return new FanOut(partition, offset, handle(), Millis.instant(record.getExpiresAtMillis()));
    }
}
