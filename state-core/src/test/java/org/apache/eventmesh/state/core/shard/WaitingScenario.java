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
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** An inbox, operations that wait in it or will, and what was answered. */
abstract class WaitingScenario implements Scenario {
    final Inbox inbox = new Inbox();
    final List<String> told = new ArrayList<>();
    final Pending<String> first = pending("first");
    final Pending<String> second = pending("second");

    private record Nothing(String name) implements ShardOperation<String> {
        @Override
        public StoreName store() {
            return StoreName.DELIVERIES;
        }

        @Override
        public String decide(ShardDraft draft) {
            return name;
        }

        @Override
        public String fenced(Fenced why) {
            return "fenced";
        }
    }

    final Pending<String> pending(String name) {
        Pending<String> pending = new Pending<>(new Nothing(name), inbox);
        pending.answer(new Pending.Answer<>() {
            @Override
            public void done(String result) {
                told.add(result);
            }

            @Override
            public void failed(Throwable failure) {
                throw new AssertionError(failure);
            }
        });
        return pending;
    }

    /** Those of them that were not withdrawn. */
    @SuppressWarnings("unchecked")
    static void answer(List<Pending<?>> taken) {
        for (Pending<?> each : taken) {
            if (each.take()) {
                ((Pending<String>) each).tell(each.operation().name());
            }
        }
    }
}
