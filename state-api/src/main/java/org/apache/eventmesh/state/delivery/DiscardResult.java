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
package org.apache.eventmesh.state.delivery;

import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to {@link Shard#discard}. */
public sealed interface DiscardResult
        permits DiscardResult.Discarded, DiscardResult.Decodable, DiscardResult.NotOpen, Fenced {
    /** Given up; nothing of it is left. */
    record Discarded() implements DiscardResult {}

    /** Nothing is wrong with it, so nothing was changed: settle it as any other. */
    record Decodable(Delivery delivery) implements DiscardResult {
        public Decodable {
            Check.given("delivery", delivery);
        }
    }

    /** Settled or never opened. */
    record NotOpen() implements DiscardResult {}
}
