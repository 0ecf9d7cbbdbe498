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

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** The beginning of an opening over two backends: who enters with it, and a number younger than all before. */
record Beginning(Set<Subscriber> readers) implements ShardOperation<Beginning.Answer> {
    /** What came of it. */
    sealed interface Answer {
        record Begun(Entering entering) implements Answer {}

        record Lost(Fenced why) implements Answer {}
    }

    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "open";
    }

    @Override
    public Answer decide(ShardDraft draft) {
        Set<Subscriber> entering = new LinkedHashSet<>();
        for (Subscriber subscriber : readers) {
            if (!draft.index().hasProgress(subscriber)) {
                entering.add(subscriber);
            }
        }
        return new Answer.Begun(new Entering(entering, draft.number()));
    }

    @Override
    public Answer fenced(Fenced why) {
        return new Answer.Lost(why);
    }
}
