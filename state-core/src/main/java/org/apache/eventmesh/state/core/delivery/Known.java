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

import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Outcome;

/** The answer for a delivery that is open already. */
final class Known {
    private Known() {}

    static Outcome<OpenResult> open(ShardDraft draft, OpenDelivery delivery) {
        try {
            if (!delivery.readable()) {
                throw new CorruptStateException("the record of the open delivery "
                        + delivery.damage().orElseThrow().key()
                        + " cannot be decoded; nothing was changed, discard it or restore a backup");
            }
            return new Outcome.Done<>(
                    new OpenResult.AlreadyOpen(Messages.told(draft, delivery, Messages.read(draft, delivery))));
        } catch (StateStoreException e) {
            return new Outcome.Failed<>(e);
        }
    }
}
