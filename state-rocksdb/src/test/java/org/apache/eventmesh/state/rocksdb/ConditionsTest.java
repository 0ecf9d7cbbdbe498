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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.apache.eventmesh.state.rocksdb.Engines.applied;
import static org.apache.eventmesh.state.rocksdb.Engines.commit;
import static org.apache.eventmesh.state.rocksdb.Engines.commitAll;
import static org.apache.eventmesh.state.rocksdb.Engines.delete;
import static org.apache.eventmesh.state.rocksdb.Engines.inFlight;
import static org.apache.eventmesh.state.rocksdb.Engines.put;
import static org.apache.eventmesh.state.rocksdb.Engines.putIf;
import static org.apache.eventmesh.state.rocksdb.Engines.read;
import static org.apache.eventmesh.state.rocksdb.Engines.small;
import static org.apache.eventmesh.state.rocksdb.Engines.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConditionsTest {
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
    void aConditionOnAnAbsentKeyHoldsOnce() {
        Condition absent = Condition.absent(small("k"));
        assertThat(commit(engine, Durability.DISK, putIf(absent, "first"))).isInstanceOf(CommitResult.Applied.class);
        assertThat(commit(engine, Durability.DISK, putIf(absent, "second"))).isInstanceOf(CommitResult.Refused.class);
        assertThat(text(engine, small("k"))).contains("first");
    }

    @Test
    void aRefusalShowsAllConditionedKeysAndChangesNothing() {
        long revision = applied(engine, Durability.PROCESS, put(inFlight("there"), "value"));
        Commit refused = new Commit(
                List.of(
                        new Condition(inFlight("there"), revision),
                        new Condition(small("gone"), revision),
                        Condition.absent(small("absent"))),
                List.of(Change.delete(inFlight("there")), Change.put(small("absent"), Bytes.utf8("x"))));
        assertThat(commit(engine, Durability.DISK, refused))
                .isEqualTo(
                        new CommitResult.Refused(List.of(new Entry(inFlight("there"), Bytes.utf8("value"), revision))));
        assertThat(text(engine, inFlight("there"))).contains("value");
        assertThat(text(engine, small("absent"))).isEmpty();
    }

    @Test
    void aKeyThatWasDeletedAndPutAgainIsAnotherRevision() {
        long before = applied(engine, Durability.DISK, put(small("k"), "same"));
        applied(engine, Durability.DISK, delete(small("k")));
        long after = applied(engine, Durability.DISK, put(small("k"), "same"));
        assertThat(after).isGreaterThan(before);
        assertThat(commit(engine, Durability.DISK, putIf(new Condition(small("k"), before), "late")))
                .isInstanceOf(CommitResult.Refused.class);
    }

    @Test
    void eachCommitOfACallIsDecidedByItself() {
        List<CommitResult> results = commitAll(
                engine,
                Durability.DISK,
                List.of(
                        putIf(Condition.absent(small("a")), "1"),
                        putIf(new Condition(small("b"), 77), "2"),
                        put(inFlight("c"), "3")));
        assertThat(results.get(0)).isInstanceOf(CommitResult.Applied.class);
        assertThat(results.get(1)).isEqualTo(new CommitResult.Refused(List.of()));
        assertThat(results.get(2)).isInstanceOf(CommitResult.Applied.class);
        assertThat(text(engine, small("a"))).contains("1");
        assertThat(text(engine, small("b"))).isEmpty();
        assertThat(text(engine, inFlight("c"))).contains("3");
    }

    @Test
    void required_ENG_a_commit_that_only_checks_writes_nothing() throws IOException {
        long put = applied(engine, Durability.DISK, put(small("k"), "v"));
        Path log = directory.resolve(Remains.of(directory).named(".log"));
        long size = Files.size(log);
        Commit check = new Commit(List.of(new Condition(small("k"), put)), List.of());
        for (Durability level : Durability.values()) {
            assertThat(applied(engine, level, check)).isEqualTo(put);
        }
        assertThat(Files.size(log)).isEqualTo(size);
        assertThat(engine.syncedRevision()).isEqualTo(put);
        assertThat(read(engine, small("k")).orElseThrow().revision()).isEqualTo(put);
    }

    @Test
    void required_G03_a_commit_that_only_checks_at_disk_level_has_synced_what_it_saw() {
        long put = applied(engine, Durability.PROCESS, put(inFlight("k"), "v"));
        Commit check = new Commit(List.of(new Condition(inFlight("k"), put)), List.of());
        assertThat(applied(engine, Durability.DISK, check)).isEqualTo(put);
        assertThat(engine.syncedRevision()).isEqualTo(put);
    }

    @Test
    void anEmptyValueIsNotAnAbsentOne() {
        applied(engine, Durability.DISK, put(small("k"), ""));
        assertThat(text(engine, small("k"))).contains("");
    }

    @Test
    void aCommitBeyondTheLimitIsRefusedAndSaysTheLimit() {
        Bytes large = Bytes.of(new byte[engine.limits().maxBytes()]);
        Commit commit = new Commit(List.of(), List.of(Change.put(small("large"), large)));
        assertThatThrownBy(() -> commit(engine, Durability.DISK, commit))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining(String.valueOf(engine.limits().maxBytes()));
        assertThat(text(engine, small("large"))).isEmpty();
    }

    @Test
    void leasesAreNotDeclaredAndRefused() {
        Commit leased = new Commit(List.of(), List.of(Change.put(small("k"), Bytes.EMPTY, 1)));
        assertThatThrownBy(() -> engine.commit(List.of(leased), Durability.DISK))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
