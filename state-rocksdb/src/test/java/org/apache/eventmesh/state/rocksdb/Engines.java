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

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** Short forms for tests. */
final class Engines {
    private Engines() {}

    static RocksEngine open(Path directory) {
        return open(directory, Map.of());
    }

    static RocksEngine open(Path directory, Map<String, String> options) {
        return new RocksEngineProvider().open(config(directory, options, EngineListener.NONE));
    }

    static EngineConfig config(Path directory, Map<String, String> options, EngineListener listener) {
        return config(uri(directory), options, listener, Duration.ofSeconds(10));
    }

    static EngineConfig config(String uri, Map<String, String> options, EngineListener listener, Duration deadline) {
        return new EngineConfig(uri, options, deadline, InstantSource.system(), System::nanoTime, listener);
    }

    static String uri(Path directory) {
        URI file = directory.toUri();
        String path = file.getRawPath();
        return "rocksdb://" + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /** A key of a table of small state. */
    static Bytes small(String name) {
        return Bytes.utf8("\u0001" + name);
    }

    /** A key of a table of what is in flight. */
    static Bytes inFlight(String name) {
        byte[] text = Bytes.utf8(name).toArray();
        byte[] key = new byte[text.length + 1];
        key[0] = (byte) 0x81;
        System.arraycopy(text, 0, key, 1, text.length);
        return Bytes.of(key);
    }

    static Commit put(Bytes key, String value) {
        return new Commit(List.of(), List.of(Change.put(key, Bytes.utf8(value))));
    }

    static Commit putIf(Condition condition, String value) {
        return new Commit(List.of(condition), List.of(Change.put(condition.key(), Bytes.utf8(value))));
    }

    static Commit delete(Bytes key) {
        return new Commit(List.of(), List.of(Change.delete(key)));
    }

    static CommitResult commit(Engine engine, Durability level, Commit commit) {
        return Await.result(engine.commit(List.of(commit), level).get(0));
    }

    /** The revision. */
    static long applied(Engine engine, Durability level, Commit commit) {
        return ((CommitResult.Applied) commit(engine, level, commit)).revision();
    }

    static List<CommitResult> commitAll(Engine engine, Durability level, List<Commit> commits) {
        List<CommitResult> results = new ArrayList<>();
        for (CompletionStage<CommitResult> stage : engine.commit(commits, level)) {
            results.add(Await.result(stage));
        }
        return results;
    }

    static Optional<Entry> read(Engine engine, Bytes key) {
        return Await.result(engine.read(List.of(key))).stream().findFirst();
    }

    static Optional<String> text(Engine engine, Bytes key) {
        return read(engine, key).map(entry -> entry.value().toUtf8());
    }
}
