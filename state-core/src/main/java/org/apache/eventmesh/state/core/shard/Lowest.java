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

import java.util.OptionalLong;
import java.util.TreeMap;

/** The lowest of many numbers that come and go. */
final class Lowest {
    private final TreeMap<Long, Integer> counts = new TreeMap<>();

    void add(long number) {
        counts.merge(number, 1, Integer::sum);
    }

    void remove(long number) {
        counts.computeIfPresent(number, (n, count) -> count == 1 ? null : count - 1);
    }

    OptionalLong get() {
        return counts.isEmpty() ? OptionalLong.empty() : OptionalLong.of(counts.firstKey());
    }
}
