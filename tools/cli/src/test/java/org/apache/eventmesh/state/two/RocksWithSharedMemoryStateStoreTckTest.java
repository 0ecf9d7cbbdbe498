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
package org.apache.eventmesh.state.two;

import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.inmemory.InMemoryEngineProvider;
import org.apache.eventmesh.state.rocksdb.RocksEngineProvider;
import org.apache.eventmesh.state.tck.StateStoreTck;
import org.apache.eventmesh.state.tck.kit.RunsOn;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.apache.eventmesh.state.tck.kit.TwoBackends;
import org.junit.jupiter.api.io.TempDir;

/** Offsets and deliveries on a disk of each host, all else in a backend that outlives none of them. */
@RunsOn("rocksdb with a shared memory")
class RocksWithSharedMemoryStateStoreTckTest extends StateStoreTck {
    private final AtomicInteger hosts = new AtomicInteger();

    @TempDir
    Path directory;

    private record Place(EngineProvider provider, String uri) implements StoreFixture {}

    @Override
    protected StoreFixture fixture() {
        return new TwoBackends(
                () -> new Place(
                        new RocksEngineProvider(), "rocksdb://" + directory.resolve("host-" + hosts.incrementAndGet())),
                new Place(new InMemoryEngineProvider(), "memory:" + UUID.randomUUID()));
    }
}
