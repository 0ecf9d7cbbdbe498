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

import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/**
 * State on local disk, for one process at a time: {@code rocksdb:///var/lib/em/state}.
 *
 * <p>Options:
 *
 * <ul>
 *   <li>{@code rocksdb.strictRecovery} ({@code false}): refuse to open when a log file has damage anywhere. Otherwise
 *       recovery takes a log up to its first damage and drops what stands behind, with a warning in the log of this
 *       library: right for the torn end that a power loss leaves, and wrong for a bit that flipped in the middle of
 *       synced writes, which looks the same. A strict engine may refuse to open after a power loss or
 *       a crash; while it is open it goes on behind a write that failed, as long as all that it answered for is there.
 *   <li>{@code rocksdb.readThreads} (4): how many reads and scans run at the same time, 1 to 64.
 *   <li>{@code rocksdb.verifyTables} ({@code false}): read all tables when it is opened, and refuse to open when a bit has
 *       flipped in one, which shows otherwise only when that place is read. Takes as long as the disk needs for all its
 *       data, within the deadline of the opening.
 * </ul>
 */
public final class RocksEngineProvider implements EngineProvider {
    /** For the service loader. */
    public RocksEngineProvider() {}

    @Override
    public String scheme() {
        return RocksAddress.SCHEME;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.DURABLE, Capability.CHECKPOINTS);
    }

    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        return Optional.of(RocksAddress.parse(config.uri()).real().toString());
    }

    @Override
    public RocksEngine open(EngineConfig config) {
        RocksSettings settings = RocksSettings.of(config.options());
        return EngineOpening.open(config, settings, RocksAddress.parse(config.uri()));
    }
}
