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

import java.util.Optional;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/** The shard as the operations decided so far leave it, and the changes of the commit that will make it so. */
public interface ShardDraft {
    /**
     * A record beyond the index, as the operations before this one leave it. The commit is conditional on it, in this
     * state, whether it is there or not.
     */
    Optional<Entry> record(Bytes key);

    /** Puts down a change of a record beyond the index, that {@link #record} has told before. */
    void change(Change change);

    /** Wall time of this batch, in epoch milliseconds: what is told equals what is stored. */
    long now();
}
