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
package org.apache.eventmesh.state.etcd.client;

import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Which keys to read, ascending in unsigned byte order.
 *
 * @param to exclusive; {@code null}: the key {@code from} alone
 * @param limit how many at most; 0 for all
 * @param consistency whether an answer may be stale
 * @param keysOnly leave the values empty
 */
public record Range(Bytes from, @Nullable Bytes to, long limit, Consistency consistency, boolean keysOnly) {
    /** One key, as it is now. */
    public static Range one(Bytes key) {
        return new Range(key, null, 0, Consistency.LINEARIZABLE, false);
    }
}
