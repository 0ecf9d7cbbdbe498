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

import java.nio.ByteBuffer;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A key in etcd that each transaction of one lane changes, on the condition that nobody has since the last one. So a
 * transaction whose answer was lost can be found out about, and be kept from ever being applied.
 *
 * <p>Used by one transaction at a time; handed from thread to thread by the answers.
 */
final class Slot {
    private final Session session;
    private final int number;
    private final Bytes key;
    private long revision;
    private long ids;

    /**
     * @param revision of the slot's key, which is there
     */
    Slot(Session session, int number, Bytes key, long revision) {
        this.session = session;
        this.number = number;
        this.key = key;
        this.revision = revision;
    }

    /**
     * One life of the slots of an engine.
     *
     * @param id random
     * @param lease under which all its keys stand
     */
    record Session(String id, long lease) {}

    Session session() {
        return session;
    }

    int number() {
        return number;
    }

    Bytes key() {
        return key;
    }

    long revision() {
        return revision;
    }

    void revision(long now) {
        revision = now;
    }

    /** A value that this slot never had. */
    Bytes nextId() {
        return Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(++ids).array());
    }
}
