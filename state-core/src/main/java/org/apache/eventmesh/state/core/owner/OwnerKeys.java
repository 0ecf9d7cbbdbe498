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
package org.apache.eventmesh.state.core.owner;

import java.util.zip.CRC32C;
import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.value.Bytes;

/** Where ownership stands. */
public final class OwnerKeys {
    /** Part of the format: with another number, scopes would find other counters, and epochs would fall. */
    static final int COUNTERS = 1024;

    private OwnerKeys() {}

    /** The newest ownership of a scope. Every write under a token conditions on this record. */
    public static Bytes holder(Scope scope) {
        return KeyWriter.of(Table.HOLDER).scope(scope).key();
    }

    static KeyRange holders() {
        return KeyWriter.of(Table.HOLDER).under();
    }

    static Scope readHolder(Bytes key) {
        return KeyReader.read(Table.HOLDER, key, KeyReader::scope);
    }

    /** The lease of a process. */
    public static Bytes member(String process) {
        return KeyWriter.of(Table.MEMBER).text(process).key();
    }

    /** The counter from which the epochs of a scope come; many scopes share one. */
    public static Bytes counter(Scope scope) {
        CRC32C hash = new CRC32C();
        hash.update(holder(scope).buffer());
        return KeyWriter.of(Table.COUNTER)
                .integer((int) (hash.getValue() % COUNTERS))
                .key();
    }
}
