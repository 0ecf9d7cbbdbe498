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

/** Answer to a reset. */
public sealed interface ResetResult permits ResetResult.Done, ResetResult.Unexpected, Fenced {
    /**
     * Moved.
     *
     * @param from the cursor before; empty when never served
     * @param position afterwards: lower than the cursor while something is open
     */
    record Done(OptionalLong from, long to, long position) implements ResetResult {
        public Done {
            Check.given("from", from);
        }
    }

    /** The position is not the expected one; nothing was changed. */
    record Unexpected(OptionalLong current) implements ResetResult {
        public Unexpected {
            Check.given("current", current);
        }
    }
}
