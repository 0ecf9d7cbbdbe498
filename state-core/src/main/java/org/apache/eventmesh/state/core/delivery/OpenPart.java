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
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Outcome;

/** What one commit did of a batch. */
sealed interface OpenPart {
    /**
     * Committed.
     *
     * @param outcomes of the next deliveries, in order
     * @param cursors of the accepted readers afterwards
     * @param stopped why the rest is refused
     * @param done whether nothing is left
     */
    record Done(
            OpenPlace place,
            List<Outcome<OpenResult>> outcomes,
            Map<Subscriber, Long> cursors,
            Optional<StateStoreException> stopped,
            boolean done)
            implements OpenPart {}

    record Lost(Fenced why) implements OpenPart {}
}
