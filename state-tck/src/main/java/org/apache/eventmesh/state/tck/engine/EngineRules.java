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
package org.apache.eventmesh.state.tck.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

import static org.assertj.core.api.Assertions.assertThat;

/** Short words for the tests of an engine. Every key begins with a table number, as those of the core do. */
public interface EngineRules {
    /** All keys that {@link #key} makes. */
    KeyRange ALL = new KeyRange(Bytes.of((byte) 0x20), Bytes.of((byte) 0x21));

    /** Of the test that runs. */
    EngineKit engines();

    default Engine engine() {
        return engines().plain();
    }

    default <T> T get(CompletionStage<T> stage) {
        return Stages.get(stage);
    }

    static Bytes key(String name) {
        return Bytes.utf8(" " + name);
    }

    static Bytes value(String text) {
        return Bytes.utf8(text);
    }

    static Change put(String key, String value) {
        return Change.put(key(key), value(value));
    }

    static Change put(String key, String value, Lease lease) {
        return Change.put(key(key), value(value), lease.id());
    }

    static Change delete(String key) {
        return Change.delete(key(key));
    }

    static Commit always(Change... changes) {
        return new Commit(List.of(), List.of(changes));
    }

    static Commit when(Condition condition, Change... changes) {
        return new Commit(List.of(condition), List.of(changes));
    }

    default CommitResult commit(Engine engine, Commit commit) {
        return get(engine.commit(List.of(commit), Durability.DISK).get(0));
    }

    /** The revision of a commit that must be applied. */
    default long apply(Engine engine, Commit commit) {
        return applied(commit(engine, commit));
    }

    static long applied(CommitResult result) {
        assertThat(result).isInstanceOf(CommitResult.Applied.class);
        return ((CommitResult.Applied) result).revision();
    }

    /** What a commit that must be refused shows. */
    default List<Entry> refused(Engine engine, Commit commit) {
        CommitResult result = commit(engine, commit);
        assertThat(result).isInstanceOf(CommitResult.Refused.class);
        return ((CommitResult.Refused) result).current();
    }

    default Optional<Entry> read(Engine engine, String key) {
        List<Entry> found = get(engine.read(List.of(key(key))));
        assertThat(found).hasSizeLessThanOrEqualTo(1);
        return found.stream().findFirst();
    }

    default Optional<String> text(Engine engine, String key) {
        return read(engine, key).map(entry -> entry.value().toUtf8());
    }

    /** All entries of a range, page after page. */
    default List<Entry> scan(Engine engine, KeyRange range, int page) {
        List<Entry> all = new ArrayList<>();
        KeyRange rest = range;
        Slice slice;
        do {
            slice = get(engine.scan(rest, page));
            assertThat(slice.entries()).hasSizeLessThanOrEqualTo(page);
            all.addAll(slice.entries());
            if (slice.more()) {
                assertThat(slice.entries()).as("a page that is not the last").isNotEmpty();
                rest = rest.after(
                        slice.entries().get(slice.entries().size() - 1).key());
            }
        } while (slice.more());
        return all;
    }

    /** How a call fails, whether it throws or answers with a failed stage. */
    default Throwable failure(Supplier<? extends CompletionStage<?>> call) {
        try {
            Object answer = get(call.get());
            throw new AssertionError("it answered " + answer);
        } catch (RuntimeException failure) {
            return failure;
        }
    }
}
