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

import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Takes a number for a delivery to come, while there is room for one. The answer says where the shard stands, or that it is
 * not ours.
 */
public record TakeNumber(StoreName store, String name) implements ShardOperation<TakeNumber.Answer> {
    /** What came of it. */
    public sealed interface Answer {
        /** It is used by nobody else, ever. */
        record Taken(long number) implements Answer {}

        record Lost(Fenced why) implements Answer {}
    }

    @Override
    public Answer decide(ShardDraft draft) {
        draft.requireRoom(1);
        return new Answer.Taken(draft.number());
    }

    @Override
    public Answer fenced(Fenced why) {
        return new Answer.Lost(why);
    }
}
