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

import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Which of some subscribers were never served here, and a number that is younger than all before. Changes nothing. */
record Whereabouts(Set<Subscriber> subscribers) implements ShardOperation<Whereabouts.Answer> {
    /** What came of it. */
    sealed interface Answer {
        /**
         * The shard is ours.
         *
         * @param position of the one subscriber that was asked for; empty when it was never served, or several were
         */
        record Here(Set<Subscriber> never, OptionalLong position, long number) implements Answer {}

        record Lost(Fenced why) implements Answer {}
    }

    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "position";
    }

    @Override
    public Answer decide(ShardDraft draft) {
        Set<Subscriber> never = new LinkedHashSet<>();
        OptionalLong position = OptionalLong.empty();
        for (Subscriber subscriber : subscribers) {
            Reader reader = draft.index().reader(subscriber);
            if (Served.place(reader) == null) {
                never.add(subscriber);
            } else if (subscribers.size() == 1 && reader != null) {
                position = reader.position();
            }
        }
        return new Answer.Here(never, position, draft.number());
    }

    @Override
    public Answer fenced(Fenced why) {
        return new Answer.Lost(why);
    }
}
