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
package org.apache.eventmesh.state.core.owner;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Scope;

/** What ends the ownership of a scope that goes for good, whoever has it: there is nothing left to own. */
public final class EndedOwnership {
    private EndedOwnership() {}

    /**
     * The changes; none when nobody owns it. The commit conditions on the holder record as it was read, there or absent.
     *
     * @param holder the record under {@link OwnerKeys#holder}
     */
    public static List<Change> of(Scope scope, Optional<Entry> holder) {
        return holder.map(entry -> Held.holder(Records.HOLDER.decode(entry).record()))
                .map(owner -> List.of(
                        Change.delete(OwnerKeys.holder(scope)), Change.delete(new HeldBy(owner, scope).bytes())))
                .orElse(List.of());
    }
}
