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
package org.apache.eventmesh.state.core.offset;

import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Forgets a subscriber's progress, while nothing is open that it counts. Also progress that cannot be read: this is the way
 * to get rid of it. What other hosts gave up is forgotten by {@link RemovalCall}.
 */
record Removal(Subscriber subscriber) implements ShardOperation<RemoveResult> {
    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "remove";
    }

    @Override
    public RemoveResult decide(ShardDraft draft) {
        Reader reader = draft.index().reader(subscriber);
        if (reader == null) {
            return new RemoveResult.Removed(false);
        }
        if (reader.orderedOpen() > 0) {
            return new RemoveResult.HasOpen(reader.orderedOpen());
        }
        if (!draft.index().hasProgress(subscriber)) {
            return new RemoveResult.Removed(false);
        }
        draft.sync();
        draft.index().departures().removed(subscriber, draft.number());
        draft.place(subscriber, null);
        return new RemoveResult.Removed(true);
    }

    @Override
    public RemoveResult fenced(Fenced why) {
        return why;
    }
}
