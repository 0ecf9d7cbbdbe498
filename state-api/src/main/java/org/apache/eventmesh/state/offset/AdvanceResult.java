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
package org.apache.eventmesh.state.offset;

import java.util.OptionalLong;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to an advance. */
public sealed interface AdvanceResult
        permits AdvanceResult.Advanced, AdvanceResult.AlreadyAt, AdvanceResult.HeldBack, Fenced {
    /**
     * Raised.
     *
     * @param from empty when the subscriber was never served
     */
    record Advanced(OptionalLong from, long to) implements AdvanceResult {
        public Advanced {
            Check.given("from", from);
        }
    }

    /** The cursor is there or beyond; nothing was changed. */
    record AlreadyAt(long current) implements AdvanceResult {}

    /** An open delivery lies before the wanted offset; nothing was changed. */
    record HeldBack(long lowestOpen) implements AdvanceResult {}
}
