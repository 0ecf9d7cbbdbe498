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

import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Forgets as much of what other hosts gave up for a removed subscriber as one commit takes; false: the shard is lost. */
record DeadBeforeEnd(Subscriber subscriber) implements ShardOperation<Boolean> {
    /** More would keep others waiting. */
    private static final int MOST = 500;

    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "remove";
    }

    @Override
    public Boolean decide(ShardDraft draft) {
        if (draft.index().anyDeadBefore(subscriber)) {
            draft.sync();
            if (draft.forgetSomeDeadBefore(subscriber, MOST) == 0) {
                throw draft.noRoom();
            }
        }
        return true;
    }

    @Override
    public Boolean fenced(Fenced why) {
        return false;
    }
}
