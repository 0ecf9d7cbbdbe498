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

import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.failure.StateStoreException;

/** A reader of a batch. */
sealed interface OpenReader {
    /**
     * It may go on.
     *
     * @param entry that it goes on under; under a later one it is another reader
     * @param cursor where the last commit of this batch left it; below that it was reset
     */
    record Accepted(long entry, long cursor) implements OpenReader {}

    /** The range does not fit its cursor, or cannot be gone through any further; all its targets get this answer. */
    record Refused(ReaderResult place, OpenResult answer) implements OpenReader {}

    /** Its progress cannot be read. */
    record Failed(StateStoreException why) implements OpenReader {}

    /** Withdrawn meanwhile. */
    record Gone() implements OpenReader {}
}
