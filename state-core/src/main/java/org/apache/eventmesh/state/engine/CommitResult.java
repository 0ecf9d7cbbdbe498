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

import java.util.List;

/** The fate of a commit, known for certain. */
public sealed interface CommitResult {
    /**
     * All conditions held, all changes are made, and durable as asked.
     *
     * @param revision of the changes; for a commit without changes, of the state in which its conditions held
     */
    record Applied(long revision) implements CommitResult {}

    /**
     * A condition did not hold; nothing was changed.
     *
     * @param current the present entries of all conditioned keys, read in the same atomic step; absent ones are left out
     */
    record Refused(List<Entry> current) implements CommitResult {
        public Refused {
            current = List.copyOf(current);
        }
    }

    /**
     * A {@linkplain Change.Put put} names a lease that has ended or was never granted; nothing was changed, and nothing
     * is said about the conditions. The caller grants another lease and decides again.
     *
     * @param lease the first such lease of the commit
     */
    record LeaseEnded(long lease) implements CommitResult {}
}
