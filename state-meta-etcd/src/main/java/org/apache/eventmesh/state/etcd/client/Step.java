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

import java.util.List;
import org.apache.eventmesh.state.value.Bytes;

/** One step of a {@link Txn}. No key is put twice in one transaction, whatever its branches. */
public sealed interface Step {
    /**
     * Sets a key.
     *
     * @param lease under which it stands; 0 for none
     */
    record Put(Bytes key, Bytes value, long lease) implements Step {
        @Override
        public String toString() {
            return "Put[" + key.size() + " bytes of key, " + value.size() + " bytes of value, lease " + lease + "]";
        }
    }

    /** Removes a key; no error when it is absent. */
    record Delete(Bytes key) implements Step {}

    /**
     * Reads a key into {@link TxnAnswer#entries()}.
     *
     * @param revision as of which; 0 for now. What was compacted fails as {@link Failure#COMPACTED}
     */
    record Get(Bytes key, long revision) implements Step {
        /** As it is now. */
        public Get(Bytes key) {
            this(key, 0);
        }
    }

    /** A transaction of its own within this one; its answer is in {@link TxnAnswer#nested()}. */
    record Nested(Txn txn) implements Step {}

    /** A put without a lease. */
    static Put put(Bytes key, Bytes value) {
        return new Put(key, value, 0);
    }

    /** A get for each key. */
    static List<Step> gets(List<Bytes> keys) {
        return keys.stream().<Step>map(Get::new).toList();
    }
}
