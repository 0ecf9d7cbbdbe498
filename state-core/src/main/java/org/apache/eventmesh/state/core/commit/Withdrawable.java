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
package org.apache.eventmesh.state.core.commit;

/** What works for an operation, and is told when nobody waits for the answer any more. */
@FunctionalInterface
public interface Withdrawable {
    /**
     * Starts nothing more, and takes back what still waits for its turn. Called at most once, on any thread; quick.
     *
     * @return {@code true} when nothing was applied and nothing will be; {@code false} when that is not known: what is under
     *     way goes on
     */
    boolean withdraw();

    /** For reads. */
    Withdrawable NOTHING_TO_APPLY = () -> true;
}
