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
package org.apache.eventmesh.state.core.home;

import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Whether a subscriber that was withdrawn or removed is still not served, so that its row may go. It may have entered again
 * meanwhile; an entry that is under way is refused, for its row goes as well. Changes nothing else.
 */
record Unserved(Subscriber subscriber) implements ShardOperation<Unserved.Answer> {
    /** What came of it. */
    sealed interface Answer {
        record Gone() implements Answer {}

        record Served() implements Answer {}

        record Lost(Fenced why) implements Answer {}
    }

    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "unpublish";
    }

    @Override
    public Answer decide(ShardDraft draft) {
        if (draft.index().hasProgress(subscriber)) {
            return new Answer.Served();
        }
        draft.index().departures().removed(subscriber, draft.number());
        return new Answer.Gone();
    }

    @Override
    public Answer fenced(Fenced why) {
        return new Answer.Lost(why);
    }
}
