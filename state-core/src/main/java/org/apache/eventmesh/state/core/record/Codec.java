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
package org.apache.eventmesh.state.core.record;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The record of one table, to bytes and back. Rewrite a record from its own {@code toBuilder()}: fields of a newer version
 * are carried along.
 */
public final class Codec<M extends Message> {
    private final Table table;
    private final Parser<M> parser;

    Codec(Table table, Parser<M> parser) {
        this.table = table;
        this.parser = parser;
    }

    public Table table() {
        return table;
    }

    public Bytes encode(M record) {
        return Envelope.seal(record.toByteArray());
    }

    public Change put(Bytes key, M record) {
        return Change.put(key, encode(record));
    }

    /**
     * Opens what was read.
     *
     * @throws CorruptStateException when it is damaged; the message names table and key
     * @throws IncompatibleFormatException when a later version wrote it in a way that this one does not understand
     */
    public Stored<M> decode(Entry entry) {
        return new Stored<>(entry.key(), decode(entry.key(), entry.value()), entry.revision());
    }

    public Optional<Stored<M>> decode(Optional<Entry> entry) {
        return entry.map(this::decode);
    }

    /** As {@link #decode(Entry)}, where the revision is of no interest. */
    public M decode(Bytes key, Bytes value) {
        if (value.size() < Envelope.SIZE) {
            throw corrupt(key, "it has " + value.size() + " bytes, fewer than its envelope");
        }
        int format = Envelope.format(value);
        if (!Envelope.intact(value)) {
            throw corrupt(key, "its checksum does not match");
        }
        if (format > Envelope.FORMAT + 1) {
            throw incompatible(key, format);
        }
        if (format == 0) {
            throw corrupt(key, "it has format 0, which never was");
        }
        try {
            return parser.parseFrom(Envelope.record(value));
        } catch (InvalidProtocolBufferException e) {
            throw format > Envelope.FORMAT ? incompatible(key, format) : corrupt(key, "its fields do not parse");
        }
    }

    /** How a listing names a record that {@link #decode} refused. */
    public static Unreadable unreadable(Bytes key, StateStoreException why) {
        return new Unreadable(KeyText.of(key), String.valueOf(why.getMessage()));
    }

    private CorruptStateException corrupt(Bytes key, String why) {
        return new CorruptStateException("Record " + KeyText.of(key) + " of table " + table + " cannot be decoded: "
                + why + "; it was left as it is, restore it from a backup or discard it");
    }

    private IncompatibleFormatException incompatible(Bytes key, int format) {
        return new IncompatibleFormatException(
                "Record " + KeyText.of(key) + " of table " + table + " has format " + format
                        + "; this version writes " + Envelope.FORMAT + " and reads up to " + (Envelope.FORMAT + 1)
                        + ": use the version that wrote it, or a later one");
    }
}
