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
package org.apache.eventmesh.state.tck.contract;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.delivery.Shard;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.kit.Stages.get;

/** What a shard hands out to Alice. */
final class HandOuts {
    private HandOuts() {}

    /** All that is due. */
    static List<HandOut> due(Shard shard) {
        return given(shard, due -> Optional.of(ALICE));
    }

    /** The first that is due and carries a task. */
    static HandOut carrier(Shard shard) {
        return given(shard, due -> due.task().isPresent() ? Optional.of(ALICE) : Optional.empty())
                .get(0);
    }

    private static List<HandOut> given(Shard shard, Route route) {
        return ((HandOutResult.HandedOut) get(shard.handOut(100, HAND_OUT, route))).given();
    }
}
