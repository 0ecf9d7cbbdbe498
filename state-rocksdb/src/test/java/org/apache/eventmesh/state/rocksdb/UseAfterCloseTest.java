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
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UseAfterCloseTest {
    @TempDir
    Path directory;

    private RocksEngine engine;

    @BeforeEach
    void openAndClose() {
        engine = Engines.open(directory);
        Engines.applied(engine, Durability.PROCESS, Engines.put(Engines.small("k"), "v"));
        engine.close();
    }

    @Test
    void everyOperationFailsAsClosed() {
        KeyRange range = new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 0xFF));
        List<Supplier<CompletionStage<?>>> operations = List.of(
                () -> engine.commit(List.of(Engines.put(Engines.small("k"), "w")), Durability.DISK)
                        .get(0),
                () -> engine.commit(List.of(Engines.put(Engines.small("k"), "w")), Durability.PROCESS)
                        .get(0),
                () -> engine.read(List.of(Engines.small("k"))),
                () -> engine.scan(range, 10),
                () -> engine.verify(),
                () -> engine.checkpoint(directory.resolveSibling("copy")));
        for (Supplier<CompletionStage<?>> operation : operations) {
            assertThatThrownBy(() -> Await.result(operation.get()))
                    .isInstanceOf(StoreClosedException.class)
                    .hasMessageContaining(directory.toString());
        }
    }

    @Test
    void whatIsKnownStaysKnown() {
        assertThat(engine.incarnation()).isNotEmpty();
        assertThat(engine.limits().maxBytes()).isPositive();
        assertThat(engine.syncedRevision()).isPositive();
        assertThat(engine.health().up()).isFalse();
        assertThat(engine.health().advice()).isNotEmpty();
    }

    @Test
    void closingAgainDoesNothing() {
        assertThatCode(engine::close).doesNotThrowAnyException();
        try (RocksEngine next = Engines.open(directory)) {
            engine.close();
            assertThat(Engines.text(next, Engines.small("k"))).contains("v");
        }
    }
}
