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

import java.util.Map;
import org.apache.eventmesh.state.id.Subscriber;

/**
 * How far the opening of a batch has come, as committed.
 *
 * @param readers what is known of each; empty before they have entered
 * @param message the next message, by its place in the batch
 * @param target the next target of that message
 * @param payload the MESSAGE record that earlier targets of that message share; 0 when there is none
 * @param moved readers whose cursors have reached the end of the range
 * @param began every number from here on was taken since the opening began; 0 before
 */
record OpenPlace(Map<Subscriber, OpenReader> readers, int message, int target, long payload, int moved, long began) {
    static final OpenPlace START = new OpenPlace(Map.of(), 0, 0, 0, 0, 0);

    OpenPlace {
        readers = Map.copyOf(readers);
    }
}
