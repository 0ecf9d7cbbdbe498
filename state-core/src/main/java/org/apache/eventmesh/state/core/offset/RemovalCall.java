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

import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.SteppedCall;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.RemoveResult;

/**
 * A removal: the progress first, in one commit; then what other hosts gave up for the subscriber, in as many as it takes;
 * then what is left on the other side. What a failure leaves behind of the second still opens as settled, as any message
 * with a dead letter does.
 */
final class RemovalCall extends SteppedCall<RemoveResult> {
    private final Removal removal;
    private final Follow<RemoveResult> last;

    RemovalCall(ShardLoop loop, Subscriber subscriber, Follow<RemoveResult> last) {
        super(loop, new Operation(StoreName.OFFSETS, "remove", loop.token().scope()));
        this.removal = new Removal(subscriber);
        this.last = last;
    }

    @Override
    protected void first() {
        run(removal, this::removed);
    }

    private void removed(RemoveResult result) {
        if (!(result instanceof RemoveResult.Removed removed)) {
            answer(result);
        } else if (removed.existed()) {
            applied();
            forget(removed);
        } else {
            end(removed);
        }
    }

    private void forget(RemoveResult.Removed removed) {
        if (!loop().look(index -> index.anyDeadBefore(removal.subscriber()))) {
            end(removed);
            return;
        }
        run(new DeadBeforeEnd(removal.subscriber()), current -> {
            applied();
            if (current) {
                forget(removed);
            } else {
                // another owns the shard now, and has none of it
                end(removed);
            }
        });
    }

    private void end(RemoveResult.Removed removed) {
        last.after(removal, removed).whenComplete((answer, failure) -> {
            if (failure == null) {
                answer(answer);
            } else {
                fail(Follow.failure(failure));
            }
        });
    }
}
