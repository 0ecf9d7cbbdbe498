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
package org.apache.eventmesh.state.core.delivery;

import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.core.shard.FanOutState;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Fan-outs that wait for their confirmation. A shard that is not ours any more has none for us to acknowledge. */
record CompletedOperation(ShardLoop loop, int limit) implements ShardOperation<List<FanOut>> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "completed";
    }

    @Override
    public List<FanOut> decide(ShardDraft draft) {
        List<FanOut> told = new ArrayList<>();
        long synced = loop.backend().engine().syncedRevision();
        for (long offset : draft.index().completed(synced, limit)) {
            FanOutState state = draft.index().fanOut(offset);
            // an operation before may have opened its message again, or confirmed it
            if (state != null && draft.index().complete(offset)) {
                told.add(state.told(draft.partition(), offset));
            }
        }
        return List.copyOf(told);
    }

    @Override
    public List<FanOut> fenced(Fenced why) {
        return List.of();
    }
}
