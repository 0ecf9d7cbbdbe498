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
package org.apache.eventmesh.state.etcd;

import java.util.Arrays;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Where the keys of one installation lie in the one key space of etcd: all behind a prefix, so that a role can be limited
 * to it, and several installations share a cluster.
 */
record KeySpace(Bytes prefix) {
    /** As etcd knows it. */
    Bytes stored(Bytes key) {
        byte[] whole = Arrays.copyOf(prefix.toArray(), prefix.size() + key.size());
        System.arraycopy(key.toArray(), 0, whole, prefix.size(), key.size());
        return Bytes.of(whole);
    }

    /** As etcd knows it. */
    KeyRange stored(KeyRange range) {
        return new KeyRange(stored(range.from()), stored(range.to()));
    }

    /** As the core knows it. */
    Bytes key(Bytes stored) {
        return Bytes.of(Arrays.copyOfRange(stored.toArray(), prefix.size(), stored.size()));
    }
}
