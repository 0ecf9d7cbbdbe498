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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Which keys of etcd an installation has, all under its prefix: the state behind {@code k/}, the commit slots of its
 * sessions behind {@code slot/}, and its {@code incarnation}.
 */
final class KeySpace {
    private final String prefix;
    private final byte[] data;

    /**
     * @param prefix begins and ends with a slash
     */
    KeySpace(String prefix) {
        this.prefix = prefix;
        this.data = (prefix + "k/").getBytes(StandardCharsets.UTF_8);
    }

    /** The key in etcd of a key of the core. */
    Bytes stored(Bytes key) {
        byte[] stored = Arrays.copyOf(data, data.length + key.size());
        key.buffer().get(stored, data.length, key.size());
        return Bytes.of(stored);
    }

    /** The range in etcd of a range of the core. */
    KeyRange stored(KeyRange range) {
        return new KeyRange(stored(range.from()), stored(range.to()));
    }

    /** The key of the core behind a key in etcd. */
    Bytes plain(Bytes stored) {
        byte[] key = stored.toArray();
        return Bytes.of(Arrays.copyOfRange(key, data.length, key.length));
    }

    /** The same entry under the core's key. */
    Entry plain(Entry stored) {
        return new Entry(plain(stored.key()), stored.value(), stored.revision());
    }

    Bytes incarnation() {
        return Bytes.utf8(prefix + "incarnation");
    }

    /** A commit slot of a session. */
    Bytes slot(String session, int number) {
        return Bytes.utf8(prefix + "slot/" + session + "/" + number);
    }

    /** Where the transaction of a slot notes that its commit with this index was refused. */
    Bytes refusal(String session, int number, int index) {
        return Bytes.utf8(prefix + "slot/" + session + "/" + number + "/" + index);
    }

    /** How many bytes a key is longer in etcd. */
    int overhead() {
        return data.length;
    }
}
