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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Withdrawable;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/** Fills one page, a few records at a time: its memory is bounded by the page, not by what it goes over. */
final class PageRun<T> {
    /** A page of large records ends early. */
    private static final long PAGE_BYTES = 8L << 20;

    /** A page of which nothing is wanted ends too: the caller sees that it goes on, and no deadline is missed. */
    private static final int GONE_OVER = 10_000;

    private static final int FIRST_SCAN = 16;
    private static final int LARGEST_SCAN = 128;

    private final Backend backend;
    private final Positions positions;
    private final Rows<T> rows;
    private final int limit;
    private final Ask<Page<T>> ask;
    private final List<T> items = new ArrayList<>();
    private final List<Unreadable> unreadable = new ArrayList<>();
    private long bytes;
    private int goneOver;

    PageRun(Backend backend, Operation operation, Positions positions, Rows<T> rows, int limit) {
        this.backend = backend;
        this.positions = positions;
        this.rows = rows;
        this.limit = limit;
        this.ask = backend.ask(operation, Withdrawable.NOTHING_TO_APPLY);
    }

    CompletionStage<Page<T>> start(KeyRange rest) {
        scan(rest);
        return ask.stage();
    }

    private void scan(KeyRange rest) {
        if (ask.answered()) {
            return;
        }
        backend.scan(rest, scanSize()).whenComplete((slice, failure) -> {
            if (failure != null) {
                ask.fail(failure);
            } else {
                make(rest, slice);
            }
        });
    }

    private void make(KeyRange rest, Slice slice) {
        try {
            rows.of(slice.entries(), backend).whenComplete((made, failure) -> {
                try {
                    if (failure != null) {
                        ask.fail(failure);
                    } else {
                        take(rest, slice, made);
                    }
                } catch (RuntimeException | Error e) {
                    ask.fail(e);
                }
            });
        } catch (RuntimeException | Error e) {
            // nobody sees what a stage's callback throws: the caller would wait until its deadline
            ask.fail(e);
        }
    }

    private void take(KeyRange rest, Slice slice, List<Row<T>> made) {
        if (made.isEmpty()) {
            if (slice.more()) {
                // an end that is none would hide records
                throw new IllegalStateException("the engine gave nothing and says that there is more");
            }
            end(Optional.empty());
            return;
        }
        for (int i = 0; i < made.size(); i++) {
            Row<T> row = made.get(i);
            row.item().ifPresent(items::add);
            row.unreadable().ifPresent(this::report);
            bytes += row.bytes();
            goneOver++;
            boolean last = i == made.size() - 1 && !slice.more();
            if (last || full()) {
                end(last ? Optional.empty() : Optional.of(row.key()));
                return;
            }
        }
        scan(rest.after(made.get(made.size() - 1).key()));
    }

    private void report(Unreadable record) {
        unreadable.add(record);
        backend.callbacks().tell(to -> to.unreadable(ask.operation().store(), record));
    }

    private boolean full() {
        return items.size() + unreadable.size() >= limit || bytes >= PAGE_BYTES || goneOver >= GONE_OVER;
    }

    private void end(Optional<Bytes> lastKey) {
        ask.answer(new Page<>(
                items, unreadable, lastKey.map(positions::of).map(position -> PageRequest.from(position, limit))));
    }

    /** Few at first, until it is known how large they are. */
    private int scanSize() {
        if (goneOver == 0) {
            return Math.min(limit, FIRST_SCAN);
        }
        long fitting = Math.max(1, (PAGE_BYTES - bytes) * goneOver / Math.max(1, bytes));
        return (int) Math.min(LARGEST_SCAN, fitting);
    }
}
