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
package org.apache.eventmesh.state.rocksdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.apache.eventmesh.state.rocksdb.Engines.applied;
import static org.apache.eventmesh.state.rocksdb.Engines.delete;
import static org.apache.eventmesh.state.rocksdb.Engines.inFlight;
import static org.apache.eventmesh.state.rocksdb.Engines.put;
import static org.apache.eventmesh.state.rocksdb.Engines.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ScanTest {
    private static final KeyRange EVERYTHING = new KeyRange(Bytes.EMPTY, Bytes.of((byte) 0xFF));

    @TempDir
    Path directory;

    private RocksEngine engine;

    @BeforeEach
    void open() {
        engine = Engines.open(directory);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void pagesThroughBothFamiliesInTheOrderOfUnsignedBytes() {
        List<Bytes> keys = List.of(
                Bytes.of((byte) 1),
                Bytes.of((byte) 1, (byte) 0),
                Bytes.of((byte) 0x7F, (byte) 0xFF),
                Bytes.of((byte) 0x80),
                Bytes.of((byte) 0x80, (byte) 0x7F),
                Bytes.of((byte) 0x80, (byte) 0x80),
                Bytes.of((byte) 0xFE));
        for (int i = keys.size() - 1; i >= 0; i--) {
            applied(engine, Durability.PROCESS, put(keys.get(i), "v"));
        }
        for (int limit = 1; limit <= keys.size() + 1; limit++) {
            assertThat(all(EVERYTHING, limit)).extracting(Entry::key).isEqualTo(keys);
        }
    }

    @Test
    void saysMoreOnlyWhenThereIsMore() {
        applied(engine, Durability.PROCESS, put(small("a"), "1"));
        applied(engine, Durability.PROCESS, put(inFlight("b"), "2"));
        long last = applied(engine, Durability.PROCESS, put(inFlight("c"), "3"));
        assertThat(Await.result(engine.scan(EVERYTHING, 2)).more()).isTrue();
        Slice all = Await.result(engine.scan(EVERYTHING, 3));
        assertThat(all.more()).isFalse();
        assertThat(all.revision()).isGreaterThanOrEqualTo(last);
        applied(engine, Durability.PROCESS, delete(inFlight("c")));
        assertThat(Await.result(engine.scan(EVERYTHING, 2)).more()).isFalse();
    }

    @Test
    void theEndIsExcludedAndTheStartIncluded() {
        for (String name : List.of("a", "b", "c")) {
            applied(engine, Durability.PROCESS, put(small(name), name));
        }
        Slice slice = Await.result(engine.scan(new KeyRange(small("a"), small("c")), 10));
        assertThat(slice.entries()).extracting(Entry::key).containsExactly(small("a"), small("b"));
        assertThat(slice.more()).isFalse();
        assertThat(Await.result(engine.scan(new KeyRange(small("b"), small("b")), 10))
                        .entries())
                .isEmpty();
    }

    @Test
    void aSliceIsBoundedInBytesAndStillGoesOn() {
        Bytes large = Bytes.of(new byte[3 << 20]);
        for (String name : List.of("a", "b", "c")) {
            applied(engine, Durability.PROCESS, new Commit(List.of(), List.of(Change.put(inFlight(name), large))));
        }
        Slice first = Await.result(engine.scan(EVERYTHING, 10));
        assertThat(first.entries()).hasSize(1);
        assertThat(first.more()).isTrue();
        assertThat(all(EVERYTHING, 10)).hasSize(3);
    }

    @Test
    void aLimitBelowOneIsAMistake() {
        assertThatThrownBy(() -> engine.scan(EVERYTHING, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<Entry> all(KeyRange range, int limit) {
        List<Entry> found = new ArrayList<>();
        Slice slice = Await.result(engine.scan(range, limit));
        found.addAll(slice.entries());
        while (slice.more()) {
            slice = Await.result(
                    engine.scan(range.after(found.get(found.size() - 1).key()), limit));
            found.addAll(slice.entries());
        }
        return found;
    }
}
