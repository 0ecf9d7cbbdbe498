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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Fan-outs that are wholly settled and wait for their confirmation, oldest first, as of committed facts. */
final class CompletedFanOuts {
    private final TreeMap<Long, At> byNumber = new TreeMap<>();

    private record At(long offset, long revision) {}

    /** A commit made it so. */
    void add(long number, long offset, long revision) {
        byNumber.putIfAbsent(number, new At(offset, revision));
    }

    void remove(long number) {
        byNumber.remove(number);
    }

    /** The offsets of the oldest whose completion a sync has covered. */
    List<Long> upTo(long syncedRevision, int limit) {
        List<Long> offsets = new ArrayList<>();
        for (At at : byNumber.values()) {
            if (offsets.size() == limit) {
                break;
            }
            if (at.revision() <= syncedRevision) {
                offsets.add(at.offset());
            }
        }
        return offsets;
    }
}
