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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.eventmesh.state.result.Unreadable;
import org.jspecify.annotations.Nullable;

/** What was observed of a shard and is no part of its state: it is not taken back when a decision is. */
final class Remembered {
    private final Map<Long, Unreadable> damagedMessages = new LinkedHashMap<>();

    private final Departures departures = new Departures();

    /** Messages whose payload turned out to be unreadable. */
    Map<Long, Unreadable> damagedMessages() {
        return damagedMessages;
    }

    @Nullable
    Unreadable damagedMessage(long message) {
        return damagedMessages.get(message);
    }

    void damagedMessage(long message, Unreadable damage) {
        damagedMessages.put(message, damage);
    }

    void forgetMessages(LongPredicate gone) {
        if (!damagedMessages.isEmpty()) {
            damagedMessages.keySet().removeIf(gone::test);
        }
    }

    Departures departures() {
        return departures;
    }
}
