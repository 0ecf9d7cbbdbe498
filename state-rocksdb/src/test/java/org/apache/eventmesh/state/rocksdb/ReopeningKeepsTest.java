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
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.apache.eventmesh.state.rocksdb.Engines.applied;
import static org.apache.eventmesh.state.rocksdb.Engines.delete;
import static org.apache.eventmesh.state.rocksdb.Engines.inFlight;
import static org.apache.eventmesh.state.rocksdb.Engines.put;
import static org.apache.eventmesh.state.rocksdb.Engines.read;
import static org.apache.eventmesh.state.rocksdb.Engines.small;
import static org.apache.eventmesh.state.rocksdb.Engines.text;
import static org.assertj.core.api.Assertions.assertThat;

class ReopeningKeepsTest {
    @TempDir
    Path directory;

    @Test
    void dataAndIncarnation() {
        String incarnation;
        long revision;
        try (RocksEngine engine = Engines.open(directory)) {
            incarnation = engine.incarnation();
            applied(engine, Durability.DISK, put(small("a"), "one"));
            revision = applied(engine, Durability.PROCESS, put(inFlight("b"), "two"));
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(engine.incarnation()).isEqualTo(incarnation);
            assertThat(text(engine, small("a"))).contains("one");
            assertThat(read(engine, inFlight("b")).orElseThrow().revision()).isEqualTo(revision);
            assertThat(engine.syncedRevision()).isGreaterThanOrEqualTo(revision);
        }
    }

    @Test
    void twoDirectoriesAreTwoLives(@TempDir Path other) {
        try (RocksEngine one = Engines.open(directory);
                RocksEngine two = Engines.open(other)) {
            assertThat(one.incarnation()).isNotEqualTo(two.incarnation());
        }
    }

    @Test
    void revisionsGoOnAlsoAfterTheNewestKeyWasDeleted() {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            try (RocksEngine engine = Engines.open(directory)) {
                long created = applied(engine, Durability.PROCESS, put(small("k"), "v"));
                assertThat(created).isGreaterThan(last);
                last = applied(engine, Durability.PROCESS, delete(small("k")));
                assertThat(last).isGreaterThan(created);
            }
        }
    }
}
