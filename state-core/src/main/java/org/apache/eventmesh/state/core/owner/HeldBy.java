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

import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.value.Bytes;

/** Says that a member holds a scope; found from the member, as the holder record is from the scope. */
record HeldBy(Holder holder, Scope scope) {
    static KeyRange instance(String instance) {
        return KeyWriter.of(Table.HELD_BY).text(instance).under();
    }

    static KeyRange member(Holder holder) {
        return KeyWriter.of(Table.HELD_BY)
                .text(holder.instance())
                .text(holder.process())
                .under();
    }

    Bytes bytes() {
        return KeyWriter.of(Table.HELD_BY)
                .text(holder.instance())
                .text(holder.process())
                .scope(scope)
                .key();
    }

    static HeldBy read(Bytes key) {
        return KeyReader.read(Table.HELD_BY, key, in -> new HeldBy(new Holder(in.text(), in.text()), in.scope()));
    }

    /** The holder record, if it names this member; otherwise the claim has ended, and this is about to go. */
    Optional<HolderRecord> standing(Optional<Entry> holderRecord) {
        return holderRecord
                .map(entry -> Records.HOLDER.decode(entry).record())
                .filter(record -> record.getProcess().equals(holder.process()));
    }
}
