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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Removes marks that were found when the shard was loaded and have ended: one page of them. */
record FoundMarks(MarkLives lives, List<Entry> page) implements ShardOperation<Boolean> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "sweep";
    }

    @Override
    public Boolean decide(ShardDraft draft) {
        List<Change> gone = new ArrayList<>();
        for (Entry entry : page) {
            long number = KeyReader.read(Table.MARK, entry.key(), in -> {
                in.partition();
                return in.number();
            });
            Optional<MarkRecord> mark = decoded(entry);
            long offset = mark.map(MarkRecord::getOffset).orElse(-1L);
            if (lives.foundEnded(draft.index(), number, offset)) {
                gone.add(Change.delete(entry.key()));
                mark.ifPresent(m -> gone.add(
                        Change.delete(ShardKeys.markByMessage(draft.partition(), m.getOffset(), subscriber(m)))));
            }
        }
        gone.forEach(draft::change);
        return true;
    }

    @Override
    public Boolean fenced(Fenced why) {
        return false;
    }

    private static Optional<MarkRecord> decoded(Entry entry) {
        try {
            return Optional.of(SharedValues.value(Records.MARK.decode(entry), stored -> {
                subscriber(stored.record());
                return stored.record();
            }));
        } catch (StateStoreException e) {
            return Optional.empty();
        }
    }

    private static Subscriber subscriber(MarkRecord mark) {
        return SharedValues.subscriber(mark.getSubscriber());
    }
}
