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
import java.util.Set;
import org.apache.eventmesh.state.id.Subscriber;

/**
 * Who may enter over two backends: where another host would begin is known of them.
 *
 * @param number taken before; one who was withdrawn or removed after it enters no more
 */
public record Entering(Set<Subscriber> subscribers, long number) {
    public static final Entering NOBODY = new Entering(Set.of(), 0);

    /** Whether a subscriber may have its first place now; over one backend whoever has none may. */
    public static boolean allowed(Optional<Entering> entering, ShardDraft draft, Subscriber subscriber) {
        return entering.map(those -> those.subscribers().contains(subscriber)
                        && !draft.index().departures().endedSince(subscriber, those.number()))
                .orElse(true);
    }
}
