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

import java.util.List;
import org.apache.eventmesh.state.core.shard.FanOutState;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.FanOut;

/** Forgets completed fan-outs whose very broker handle was acknowledged. */
record ConfirmStep(List<FanOut> acknowledged) implements SweepStep {
    @Override
    public String name() {
        return "confirm";
    }

    @Override
    public SweepPart decide(ShardDraft draft) {
        long count = 0;
        for (FanOut fanOut : acknowledged) {
            FanOutState state = draft.index().fanOut(fanOut.offset());
            if (state == null
                    || !draft.index().complete(fanOut.offset())
                    || !state.handle().equals(fanOut.brokerHandle())) {
                continue;
            }
            if (!draft.fits(1, 2048)) {
                if (count == 0) {
                    throw draft.noRoom();
                }
                return new SweepPart.Done(count, true);
            }
            draft.fanOut(fanOut.offset(), null);
            count++;
        }
        return new SweepPart.Done(count, false);
    }
}
