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

/**
 * The first part of a scanned range, ascending.
 *
 * @param revision of the state that was read: every commit up to it is in the slice, and it is at least that of
 *     every commit whose stage had completed before the scan began. A {@linkplain Engine#watch watch} after it misses
 *     nothing
 * @param entries not empty when there are {@code more}: the last of them says where to go on
 * @param more whether the range holds entries behind the last one
 */
public record Slice(List<Entry> entries, long revision, boolean more) {
    public Slice {
        entries = List.copyOf(entries);
        if (more && entries.isEmpty()) {
            throw new IllegalArgumentException("a slice that says that there is more holds no entry to go on behind");
        }
    }
}
