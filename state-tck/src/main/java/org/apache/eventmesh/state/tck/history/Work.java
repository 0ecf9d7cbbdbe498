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
package org.apache.eventmesh.state.tck.history;

import java.util.List;

/** What the callers of a run do, and what must be true of it. Safe for any number of callers. */
interface Work {
    /** Before there is more than one caller. */
    void begin(Caller first);

    /** One call, drawn at random; all that it sees is recorded. */
    void step(Caller caller);

    /** When the other callers have ended and all faults are over: what the instances that are open know, is so. */
    default void converge(List<Life> lives) {}

    /**
     * When everybody else has ended and all faults are over: brings everything to its end, and then looks whether what was
     * recorded makes sense.
     */
    void end(Caller last);

    /** How much was recorded. */
    Tally tally();
}
