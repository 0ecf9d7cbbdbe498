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
package org.apache.eventmesh.state.core.sweep;

import java.util.Collection;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.value.Bytes;

/** What a {@link Sweep} does with a key of the index that it goes over. Pure and quick. */
public interface SweepRule {
    /** Whether the key names something to remove, as far as the key alone tells. */
    default boolean wants(Bytes index) {
        return true;
    }

    /** What is read to decide about it. */
    Collection<Bytes> reads(Bytes index);

    /**
     * Adds to a commit what removes it, with the conditions under which that is right.
     *
     * @return whether something is removed that counts
     */
    boolean remove(Bytes index, Seen seen, Draft draft);
}
