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
package org.apache.eventmesh.state.tck.kit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * The stored records themselves, below every store: to damage them, and to see what another version left. A value is a
 * format byte, the CRC-32C of that byte and the record, then the record, in Protocol Buffers.
 */
public final class Below implements AutoCloseable {
    private static final int ENVELOPE = 5;

    private final Engine engine;
    private final Engine shared;

    /** @param shared the same as {@code engine} over one backend */
    Below(Engine engine, Engine shared) {
        this.engine = engine;
        this.shared = shared;
    }

    /** Every record of a table, which is named as in messages: {@code TASK}. */
    public List<Entry> records(String name) {
        List<Entry> found = new ArrayList<>(records(engine, name));
        if (shared != engine) {
            found.addAll(records(shared, name));
        }
        return found;
    }

    private static List<Entry> records(Engine engine, String name) {
        Table table = Table.valueOf(name);
        KeyRange all = new KeyRange(Bytes.of((byte) table.number()), Bytes.of((byte) (table.number() + 1)));
        List<Entry> found = new ArrayList<>();
        Slice slice = Stages.get(engine.scan(all, 1_000));
        found.addAll(slice.entries());
        while (slice.more()) {
            slice = Stages.get(engine.scan(all.after(found.get(found.size() - 1).key()), 1_000));
            found.addAll(slice.entries());
        }
        return found;
    }

    /** The only record of a table that has this name, which is plain text, in its key. */
    public Entry record(String table, String name) {
        List<Entry> named = records(table).stream()
                .filter(entry -> latin(entry.key()).contains(name))
                .toList();
        if (named.size() != 1) {
            throw new AssertionError(named.size() + " records of " + table + " are named " + name + ", not one");
        }
        return named.get(0);
    }

    private static String latin(Bytes key) {
        return new String(key.toArray(), StandardCharsets.ISO_8859_1);
    }

    /** Writes another value in the place of a record. */
    public void rewrite(Entry record, UnaryOperator<byte[]> value) {
        Commit commit = new Commit(
                List.of(Condition.unchanged(record)),
                List.of(Change.put(
                        record.key(), Bytes.of(value.apply(record.value().toArray())))));
        applied(commit);
    }

    private void applied(Commit commit) {
        CommitResult result =
                Stages.get(engine.commit(List.of(commit), Durability.DISK).get(0));
        if (!(result instanceof CommitResult.Applied) && shared != engine) {
            result = Stages.get(shared.commit(List.of(commit), Durability.DISK).get(0));
        }
        if (!(result instanceof CommitResult.Applied)) {
            throw new AssertionError("the record changed while the test rewrote it: " + result);
        }
    }

    /** Takes a record away, as no store does it alone. */
    public void remove(Entry record) {
        applied(new Commit(List.of(Condition.unchanged(record)), List.of(Change.delete(record.key()))));
    }

    /** Turns a bit of the last byte. */
    public void damage(Entry record) {
        rewrite(record, value -> {
            value[value.length - 1] ^= 1;
            return value;
        });
    }

    /** What is behind the envelope. */
    public static byte[] content(byte[] value) {
        return ByteBuffer.allocate(value.length - ENVELOPE)
                .put(value, ENVELOPE, value.length - ENVELOPE)
                .array();
    }

    /** A good value of some format. */
    public static byte[] seal(int format, byte[] content) {
        CRC32C checksum = new CRC32C();
        checksum.update(format);
        checksum.update(content);
        return ByteBuffer.allocate(ENVELOPE + content.length)
                .put((byte) format)
                .putInt((int) checksum.getValue())
                .put(content)
                .array();
    }

    @Override
    public void close() {
        engine.close();
        shared.close();
    }
}
