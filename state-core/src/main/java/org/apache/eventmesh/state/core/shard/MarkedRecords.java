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
package org.apache.eventmesh.state.core.shard;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Goes over the records of the shared backend that stand with the mark of a shard. Each page of them is read at once, for
 * there may be as many as the shard has open deliveries.
 *
 * @param <I> names a record
 */
public final class MarkedRecords<I> {
    private static final int PAGE = 64;

    private final Crossing crossing;
    private final Function<Bytes, I> marked;
    private final Function<I, Bytes> record;
    private final Each<I> each;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** What is done about one of them. */
    @FunctionalInterface
    public interface Each<I> {
        /** Whether a delivery was opened; the record is absent when only its mark is there. */
        CompletionStage<Boolean> of(I id, Optional<Entry> record);
    }

    /**
     * @param marked what the key of a mark names
     * @param record the key of what it names
     */
    public MarkedRecords(Crossing crossing, Function<Bytes, I> marked, Function<I, Bytes> record, Each<I> each) {
        this.crossing = crossing;
        this.marked = marked;
        this.record = record;
        this.each = each;
    }

    /** How many were opened. A failure that is of one record keeps no other from its turn, and fails the stage in the end. */
    public CompletionStage<Long> over(KeyRange marks) {
        return page(marks, 0)
                .thenCompose(opened -> failures.isEmpty()
                        ? CompletableFuture.completedStage(opened)
                        : CompletableFuture.failedStage(failures.get(0)));
    }

    private CompletionStage<Long> page(KeyRange rest, long before) {
        return crossing.steps().scan(rest, PAGE).thenCompose(slice -> {
            Map<I, Bytes> named = new LinkedHashMap<>();
            for (Entry mark : slice.entries()) {
                I id = marked.apply(mark.key());
                named.put(id, record.apply(id));
            }
            return named.isEmpty()
                    ? CompletableFuture.completedStage(before)
                    : crossing.steps()
                            .read(named.values())
                            .thenCompose(found -> records(named, found, before))
                            .thenCompose(count -> next(rest, slice, count));
        });
    }

    private CompletionStage<Long> next(KeyRange rest, Slice slice, long count) {
        return slice.more()
                ? page(
                        rest.after(
                                slice.entries().get(slice.entries().size() - 1).key()),
                        count)
                : CompletableFuture.completedStage(count);
    }

    private CompletionStage<Long> records(Map<I, Bytes> named, List<Entry> found, long before) {
        Map<Bytes, Entry> records = new HashMap<>();
        found.forEach(entry -> records.put(entry.key(), entry));
        CompletionStage<Long> going = CompletableFuture.completedStage(before);
        for (Map.Entry<I, Bytes> one : named.entrySet()) {
            going = going.thenCompose(count -> each.of(one.getKey(), Optional.ofNullable(records.get(one.getValue())))
                    .handle((opened, failure) -> counted(count, opened, failure)));
        }
        return going;
    }

    private long counted(long count, Boolean opened, Throwable failure) {
        if (failure == null) {
            return opened ? count + 1 : count;
        }
        if (!RecordFailure.is(failure)) {
            throw new CompletionException(Failures.unwrapped(failure));
        }
        failures.add(failure);
        return count;
    }
}
