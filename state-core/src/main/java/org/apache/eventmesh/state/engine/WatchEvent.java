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

import java.util.Optional;
import org.apache.eventmesh.state.value.Bytes;

/** An event of a watch. */
public sealed interface WatchEvent {
    /**
     * A key was put or deleted.
     *
     * @param revision of the commit; events of one commit share it
     * @param now the entry afterwards; empty when it was deleted
     */
    record Changed(long revision, Bytes key, Optional<Entry> now) implements WatchEvent {}

    /**
     * Every change up to this revision has been delivered. An engine tells it within about a second after each commit,
     * also for commits that did not touch the range: without it nobody would know that a quiet range is up to date, and
     * whether the last changes of a revision have come.
     */
    record Progress(long revision) implements WatchEvent {}

    /** The watch has ended: the changes cannot be had any more, or the engine is closed. Scan again, then watch anew. */
    record Lost(String reason) implements WatchEvent {}
}
