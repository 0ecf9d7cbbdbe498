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
package org.apache.eventmesh.state.engine;

/**
 * What a backend can do beyond the required; declared capabilities must pass the test kit, undeclared ones must refuse
 * clearly. Conditional commits, revisions, and a known fate of every commit are required and stand nowhere here.
 */
public enum Capability {
    /** What was applied survives the end of the process. Without it, opening starts empty with a new incarnation. */
    DURABLE,
    /** Several processes may open the same data at once. Without it, a second process is refused. */
    MULTI_PROCESS,
    /** {@link Engine#lease}: keys that vanish with their lease. Required of an engine with {@code MULTI_PROCESS}. */
    LEASES,
    /** {@link Engine#watch} from a past revision. Required of an engine with {@code MULTI_PROCESS}. */
    WATCH_HISTORY,
    /** {@link Engine#checkpoint}: a copy of the data in use that opens as another life of it. */
    CHECKPOINTS
}
