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

import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.SteppedCall;
import org.apache.eventmesh.state.delivery.SweepResult;

/** An operation on many deliveries, commit by commit, until none is left. */
final class SweepCall extends SteppedCall<SweepResult> {
    private final SweepStep step;
    private long count;

    SweepCall(ShardLoop loop, SweepStep step) {
        super(loop, new Operation(step.store(), step.name(), loop.token().scope()));
        this.step = step;
    }

    @Override
    protected void first() {
        run(step, this::part);
    }

    private void part(SweepPart part) {
        if (part instanceof SweepPart.Lost lost) {
            answer(lost.why());
            return;
        }
        SweepPart.Done done = (SweepPart.Done) part;
        count += done.count();
        applied();
        if (done.more()) {
            first();
        } else {
            answer(new SweepResult.Done(count));
        }
    }
}
