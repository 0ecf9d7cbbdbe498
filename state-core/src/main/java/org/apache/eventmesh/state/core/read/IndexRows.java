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
package org.apache.eventmesh.state.core.read;

import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/** The scanned entries name the records, which are read together; those that the key rules out are not read. */
record IndexRows<M extends Message, T>(
        Predicate<Bytes> wanted,
        Function<Bytes, Bytes> recordKey,
        Codec<M> codec,
        BiFunction<Bytes, Stored<M>, Optional<T>> item)
        implements Rows<T> {

    @Override
    public CompletionStage<List<Row<T>>> of(List<Entry> scanned, Backend backend) {
        Set<Bytes> keys = new LinkedHashSet<>();
        for (Entry index : scanned) {
            try {
                if (wanted.test(index.key())) {
                    keys.add(recordKey.apply(index.key()));
                }
            } catch (RuntimeException e) {
                // its row says so
            }
        }
        return backend.read(keys).thenApply(records -> {
            Map<Bytes, Entry> found = new HashMap<>();
            records.forEach(record -> found.put(record.key(), record));
            return scanned.stream().map(index -> row(index.key(), found)).toList();
        });
    }

    private Row<T> row(Bytes index, Map<Bytes, Entry> found) {
        Row<Entry> record =
                Row.of(index, index, index.size(), () -> Optional.ofNullable(found.get(recordKey.apply(index))));
        return record.item()
                .map(entry -> Row.of(
                        index,
                        entry.key(),
                        index.size() + entry.key().size() + entry.value().size(),
                        () -> item.apply(index, codec.decode(entry))))
                .orElseGet(() -> new Row<>(index, index.size(), Optional.empty(), record.unreadable()));
    }
}
