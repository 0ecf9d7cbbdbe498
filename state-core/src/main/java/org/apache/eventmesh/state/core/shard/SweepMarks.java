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

import java.util.List;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Removes marks that have ended.
 *
 * @param byMessage those with a second record, whose key only the first can tell
 */
record SweepMarks(List<Long> plain, List<Long> byMessage) implements ShardOperation<Boolean> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "sweep";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        byMessage.forEach(number -> wanted.read(ShardKeys.mark(committed.partition(), number)));
    }

    @Override
    public Boolean decide(ShardDraft draft) {
        for (long number : byMessage) {
            draft.own(ShardKeys.mark(draft.partition(), number)).ifPresent(entry -> {
                try {
                    SharedValues.value(Records.MARK.decode(entry), mark -> {
                        draft.change(Change.delete(ShardKeys.markByMessage(
                                draft.partition(),
                                mark.record().getOffset(),
                                SharedValues.subscriber(mark.record().getSubscriber()))));
                        return mark;
                    });
                } catch (StateStoreException e) {
                    // nothing can tell the other key; it is a few bytes that stay
                }
                draft.change(Change.delete(entry.key()));
            });
        }
        plain.forEach(number -> draft.change(Change.delete(ShardKeys.mark(draft.partition(), number))));
        return true;
    }

    @Override
    public Boolean fenced(Fenced why) {
        return false;
    }
}
