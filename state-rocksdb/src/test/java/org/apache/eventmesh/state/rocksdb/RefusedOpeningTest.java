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
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What fails, or is left behind, keeps nothing open: the next opening succeeds. */
class RefusedOpeningTest {
    @TempDir
    Path temporary;

    @Test
    void aClockThatThrowsLeavesNothingOpen() {
        Path directory = temporary.resolve("data");
        InstantSource broken = () -> {
            throw new IllegalStateException("the clock is broken");
        };
        assertThatThrownBy(() -> open(directory, broken)).hasMessage("the clock is broken");
        InstantSource worse = () -> {
            throw new StackOverflowError("the clock is worse");
        };
        assertThatThrownBy(() -> open(directory, worse)).hasMessage("the clock is worse");
        opens(directory);
    }

    @Test
    void aCallerWhoIsInterruptedIsToldSoAndMayOpenAtOnce() {
        Path directory = temporary.resolve("data");
        for (int i = 0; i < 5; i++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Engines.open(directory))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(Engines.uri(directory))
                    .hasMessageContaining("interrupted")
                    .hasMessageNotContaining("disk");
            assertThat(Thread.interrupted()).isTrue();
            opens(directory);
        }
    }

    @Test
    void aCloseOnAnInterruptedThreadHasEndedWhenItReturns() {
        for (int i = 0; i < 5; i++) {
            RocksEngine engine = Engines.open(temporary);
            Engines.applied(engine, Durability.PROCESS, Engines.put(Engines.inFlight("k"), "v"));
            Thread.currentThread().interrupt();
            engine.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(new Holder(temporary).exists()).isFalse();
            opens(temporary);
        }
    }

    @Test
    void aDirectoryThatIsGoneIsNotMadeAnewByOpeningItAgain() {
        Path gone = temporary.resolve("moved-away");
        assertThatThrownBy(() -> EngineOpening.openAgain(Engines.uri(gone), RocksSettings.of(Map.of()), gone))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(gone.toString())
                .hasMessageContaining("put the directory back");
        assertThat(gone).doesNotExist();
    }

    private static void opens(Path directory) {
        try (RocksEngine engine = Engines.open(directory)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
    }

    private static void open(Path directory, InstantSource clock) {
        new RocksEngineProvider()
                .open(new EngineConfig(
                        Engines.uri(directory),
                        Map.of(),
                        Duration.ofSeconds(10),
                        clock,
                        System::nanoTime,
                        EngineListener.NONE))
                .close();
    }
}
