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

import java.util.List;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.id.Partition;

/**
 * What every commit of a loop conditions on. The holder record: nobody took the partition over. The shard record: nobody
 * loaded it since; whoever loads writes that record first, so all other records of the shard are as this loop left them,
 * and need no conditions of their own.
 *
 * @param incarnation of the data set that holds the shard
 */
record Fence(Held<Partition> held, Condition loaded, String incarnation) {
    Partition partition() {
        return held.token().scope();
    }

    List<Condition> conditions() {
        return List.of(held.fence(), loaded);
    }

    /** The same after the shard record was written by this loop. */
    Fence written(long revision) {
        return new Fence(held, new Condition(loaded.key(), revision), incarnation);
    }
}
