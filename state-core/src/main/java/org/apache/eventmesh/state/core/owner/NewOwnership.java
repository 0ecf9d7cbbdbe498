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
package org.apache.eventmesh.state.core.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.proto.CounterRecord;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The next ownership of a scope, and the changes that make it. The only place that issues an epoch.
 *
 * @param changes the commit conditions on the two records of {@link #keys}, as they were read, there or absent
 */
public record NewOwnership<S extends Scope>(Token<S> token, List<Change> changes) {
    public NewOwnership {
        changes = List.copyOf(changes);
    }

    /** What a commit that issues an epoch reads and conditions on: the counter, and the holder record. */
    public static List<Bytes> keys(Scope scope) {
        return List.of(OwnerKeys.counter(scope), OwnerKeys.holder(scope));
    }

    /**
     * The next ownership, by what was read.
     *
     * @param counter the record under {@link OwnerKeys#counter}; absent before the first epoch of its scopes
     * @param former the record under {@link OwnerKeys#holder}, if somebody owned the scope
     * @param now epoch milliseconds
     */
    public static <S extends Scope> NewOwnership<S> of(
            String incarnation, S scope, Holder holder, Optional<Entry> counter, Optional<Entry> former, long now) {
        CounterRecord counted = counter.map(
                        entry -> Records.COUNTER.decode(entry).record())
                .orElseGet(CounterRecord::getDefaultInstance);
        long epoch = counted.getEpoch() + 1;
        HolderRecord record = HolderRecord.newBuilder()
                .setEpoch(epoch)
                .setInstance(holder.instance())
                .setProcess(holder.process())
                .setClaimedAtMillis(now)
                .build();
        List<Change> changes = new ArrayList<>();
        changes.add(Records.COUNTER.put(
                OwnerKeys.counter(scope), counted.toBuilder().setEpoch(epoch).build()));
        changes.add(Records.HOLDER.put(OwnerKeys.holder(scope), record));
        changes.add(Change.put(new HeldBy(holder, scope).bytes(), Records.NOTHING));
        former.flatMap(NewOwnership::holder)
                .filter(before -> !before.equals(holder))
                .ifPresent(before -> changes.add(Change.delete(new HeldBy(before, scope).bytes())));
        return new NewOwnership<>(new Token<>(incarnation, scope, epoch, holder), changes);
    }

    /** Empty when it cannot be decoded: a takeover is the way out of that. */
    private static Optional<Holder> holder(Entry former) {
        try {
            return Optional.of(Held.holder(Records.HOLDER.decode(former).record()));
        } catch (CorruptStateException e) {
            return Optional.empty();
        }
    }
}
