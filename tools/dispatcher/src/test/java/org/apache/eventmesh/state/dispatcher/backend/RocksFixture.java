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
package org.apache.eventmesh.state.dispatcher.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.rocksdb.RocksEngineProvider;
import org.apache.eventmesh.state.tck.kit.StoreFixture;

/** A directory of its own. */
public final class RocksFixture implements StoreFixture {
    private final Path directory;

    public RocksFixture() {
        try {
            directory = Files.createTempDirectory("state-consumer");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public EngineProvider provider() {
        return new RocksEngineProvider();
    }

    @Override
    public String uri() {
        return "rocksdb://" + directory.resolve("state");
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
