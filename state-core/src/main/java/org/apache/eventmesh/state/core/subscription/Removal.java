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
package org.apache.eventmesh.state.core.subscription;

import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;

/** The removal of a registration and of the keys that list it, whoever made it. */
final class Removal {
    /** Conditions and changes for one registration. */
    static final int OPERATIONS = 4;

    private Removal() {}

    /**
     * Adds it to a commit, conditional on the registration as it was seen.
     *
     * @return whether there is anything to remove
     */
    static boolean add(SubscriptionKey key, Seen seen, Draft draft) {
        Optional<Entry> entry = seen.entry(key.bytes());
        if (entry.isEmpty()) {
            return false;
        }
        draft.condition(seen.unchanged(key.bytes()))
                .change(Change.delete(key.bytes()))
                .change(Change.delete(key.byClient()));
        // of one that cannot be decoded, the key under its instance goes with the instance's lease
        SubscriptionRecords.readable(entry)
                .ifPresent(record -> draft.change(Change.delete(key.byInstance(record.getInstance()))));
        return true;
    }
}
