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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;

/**
 * An order of records that can be read page by page. A position is the last key of a page, so nothing is held between pages,
 * and a record whose key in this order does not change appears exactly once.
 *
 * <p>The functions that make items are pure. They give nothing for a record that is not wanted, and may throw what makes a
 * record unreadable.
 */
public final class Listing<T> {
    private final String name;
    private final KeyRange range;
    private final Rows<T> rows;

    private Listing(String name, KeyRange range, Rows<T> rows) {
        this.name = name;
        this.range = range;
        this.rows = rows;
    }

    /**
     * Records in the order of their own keys.
     *
     * @param name with the range, tells listings apart: name a filter too, if its positions must not serve another
     */
    public static <M extends Message, T> Listing<T> ofRecords(
            String name, KeyRange range, Codec<M> codec, Function<Stored<M>, Optional<T>> item) {
        return new Listing<>(name, range, new RecordRows<>(codec, item));
    }

    /**
     * Records in the order of an index. What the index names and is not there was removed meanwhile and is left out.
     *
     * @param recordKey from a key of the index
     * @param item from a key of the index and the record; gives nothing when the record has moved in the index
     */
    public static <M extends Message, T> Listing<T> byIndex(
            String name,
            KeyRange index,
            Function<Bytes, Bytes> recordKey,
            Codec<M> codec,
            BiFunction<Bytes, Stored<M>, Optional<T>> item) {
        return byIndex(name, index, key -> true, recordKey, codec, item);
    }

    /**
     * As the other, with records ruled out before they are read.
     *
     * @param wanted whether a key of the index names a record that may be wanted
     */
    public static <M extends Message, T> Listing<T> byIndex(
            String name,
            KeyRange index,
            Predicate<Bytes> wanted,
            Function<Bytes, Bytes> recordKey,
            Codec<M> codec,
            BiFunction<Bytes, Stored<M>, Optional<T>> item) {
        return new Listing<>(name, index, new IndexRows<>(wanted, recordKey, codec, item));
    }

    /** What needs more than the scanned entries, or only some of them. */
    public static <T> Listing<T> of(String name, KeyRange range, Rows<T> rows) {
        return new Listing<>(name, range, rows);
    }

    /** What the keys alone say; values are not decoded. */
    public static <T> Listing<T> ofKeys(String name, KeyRange range, Function<Bytes, Optional<T>> item) {
        return new Listing<>(name, range, new KeyRows<>(item));
    }

    /**
     * One page. It may hold fewer items than asked for, even none, and still name a next one: a page ends when it is full,
     * has grown large, or has gone over many records that were not wanted.
     *
     * @throws IllegalArgumentException when the position is not one of this listing
     */
    public CompletionStage<Page<T>> page(Backend backend, Operation operation, PageRequest request) {
        Positions positions = new Positions(name, range);
        KeyRange rest = request.position().map(positions::after).orElse(range);
        return new PageRun<>(backend, operation, positions, rows, request.limit()).start(rest);
    }
}
