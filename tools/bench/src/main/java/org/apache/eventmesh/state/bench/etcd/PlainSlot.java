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
package org.apache.eventmesh.state.bench.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.ByteBuffer;

/** A commit slot by hand: a key that each transaction of a place changes. One transaction at a time uses it. */
final class PlainSlot {
    private final ByteSequence key;
    private final PutOption lease;
    private long revision;
    private long ids;

    PlainSlot(ByteSequence key, long lease, long revision) {
        this.key = key;
        this.lease = PutOption.builder().withLeaseId(lease).build();
        this.revision = revision;
    }

    Cmp unchanged() {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
    }

    Op next() {
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(++ids).array();
        return Op.put(key, ByteSequence.from(id), lease);
    }

    Op read() {
        return Op.get(key, GetOption.DEFAULT);
    }

    void revision(long now) {
        revision = now;
    }
}
