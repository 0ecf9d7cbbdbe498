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
package org.apache.eventmesh.state.tck.third;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.StateStoreTck;
import org.apache.eventmesh.state.tck.engine.EngineTck;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/**
 * How much a backend takes: engine, provider, fixture and tests on an embedded library, in one file. It is here to keep the
 * interface and the guide honest, not to be used: after a write that failed in the middle it does not reopen and look.
 */
class MvStoreBackendTest {
    @TempDir
    Path folder;

    @Nested
    class TheEngine extends EngineTck {
        @Override
        protected StoreFixture fixture() {
            return new Place(folder);
        }
    }

    @Nested
    class TheStores extends StateStoreTck {
        @Override
        protected StoreFixture fixture() {
            return new Place(folder);
        }
    }

    /** A file in a folder of its own, that the test deletes. */
    record Place(Path folder) implements StoreFixture {
        @Override
        public EngineProvider provider() {
            return new Provider();
        }

        @Override
        public String uri() {
            return "mvstore:" + folder.resolve("data");
        }
    }

    static final class Provider implements EngineProvider {
        @Override
        public String scheme() {
            return "mvstore";
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.DURABLE);
        }

        @Override
        public Optional<String> sharedUnder(EngineConfig config) {
            return Optional.of(file(config).toAbsolutePath().normalize().toString());
        }

        private static Path file(EngineConfig config) {
            if (!config.uri().startsWith("mvstore:")) {
                throw new IllegalArgumentException("'" + config.uri() + "' is no address of this engine");
            }
            return Path.of(config.uri().substring("mvstore:".length()));
        }

        @Override
        public Engine open(EngineConfig config) {
            if (!config.options().isEmpty()) {
                throw new IllegalArgumentException(
                        "unknown: " + config.options().keySet());
            }
            try {
                return new MvEngine(
                        config.uri(),
                        new MVStore.Builder()
                                .fileName(file(config).toString())
                                .autoCommitDisabled()
                                .open());
            } catch (MVStoreException e) {
                throw new StoreUnavailableException("opening " + config.uri() + ": close whoever has it", e);
            }
        }
    }

    /** Keys as text of one character a byte, which sorts as unsigned bytes do; values with their revision before them. */
    static final class MvEngine implements Engine {
        private static final Limits LIMITS = new Limits(10_000, 16 << 20);
        private final String address;
        private final MVStore store;
        private final MVMap<String, byte[]> entries;
        private final MVMap<String, String> facts;
        private boolean closed;

        MvEngine(String address, MVStore store) {
            this.address = address;
            this.store = store;
            this.entries = store.openMap("entries");
            this.facts = store.openMap("facts");
            facts.putIfAbsent("incarnation", UUID.randomUUID().toString());
            store.commit();
            store.sync();
        }

        @Override
        public String incarnation() {
            return facts.get("incarnation");
        }

        @Override
        public Limits limits() {
            return LIMITS;
        }

        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            List<CompletionStage<CommitResult>> fates =
                    commits.stream().map(commit -> answer(() -> decide(commit))).toList();
            if (!closed) {
                store.commit();
                store.sync();
            }
            return fates;
        }

        private CommitResult decide(Commit commit) {
            checkLimits(commit);
            List<Condition> conditions = commit.conditions();
            if (conditions.stream().anyMatch(one -> one.revision() != revisionOf(one.key()))) {
                return new CommitResult.Refused(
                        present(conditions.stream().map(Condition::key).toList()));
            }
            long revision = revision();
            if (!commit.changes().isEmpty()) {
                facts.put("revision", Long.toString(++revision));
            }
            for (Change change : commit.changes()) {
                if (change instanceof Change.Put put) {
                    byte[] value = put.value().toArray();
                    entries.put(
                            text(put.key()),
                            ByteBuffer.allocate(8 + value.length)
                                    .putLong(revision)
                                    .put(value)
                                    .array());
                } else {
                    entries.remove(text(change.key()));
                }
            }
            return new CommitResult.Applied(revision);
        }

        private void checkLimits(Commit commit) {
            int operations = commit.conditions().size() + commit.changes().size();
            long bytes = commit.conditions().stream()
                    .mapToLong(one -> one.key().size())
                    .sum();
            for (Change change : commit.changes()) {
                bytes += change.key().size()
                        + (change instanceof Change.Put put ? put.value().size() : 0);
            }
            if (operations > LIMITS.maxOperations() || bytes > LIMITS.maxBytes()) {
                throw new LimitExceededException(operations + " operations, " + bytes + " bytes; " + LIMITS);
            }
        }

        private long revision() {
            return Long.parseLong(facts.getOrDefault("revision", "0"));
        }

        private long revisionOf(Bytes key) {
            byte[] stored = entries.get(text(key));
            return stored == null ? Condition.ABSENT : ByteBuffer.wrap(stored).getLong();
        }

        @Override
        public synchronized CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
            return answer(() -> present(keys));
        }

        private List<Entry> present(Collection<Bytes> keys) {
            return keys.stream()
                    .distinct()
                    .filter(key -> entries.containsKey(text(key)))
                    .map(key -> entry(text(key), entries.get(text(key))))
                    .toList();
        }

        @Override
        public synchronized CompletionStage<Slice> scan(KeyRange range, int limit) {
            return answer(() -> {
                List<Entry> found = new ArrayList<>();
                Iterator<String> keys = entries.keyIterator(text(range.from()));
                while (keys.hasNext()) {
                    String key = keys.next();
                    if (key.compareTo(text(range.to())) >= 0) {
                        break;
                    }
                    if (found.size() == limit) {
                        return new Slice(found, revision(), true);
                    }
                    found.add(entry(key, entries.get(key)));
                }
                return new Slice(found, revision(), false);
            });
        }

        private static Entry entry(String key, byte[] stored) {
            long revision = ByteBuffer.wrap(stored).getLong();
            byte[] value = Arrays.copyOfRange(stored, 8, stored.length);
            return new Entry(Bytes.of(key.getBytes(StandardCharsets.ISO_8859_1)), Bytes.of(value), revision);
        }

        private static String text(Bytes key) {
            return new String(key.toArray(), StandardCharsets.ISO_8859_1);
        }

        private synchronized <T> CompletionStage<T> answer(Supplier<T> call) {
            try {
                if (closed) {
                    throw new StoreClosedException("a call of " + address + ", which is closed; open it again");
                }
                return CompletableFuture.completedStage(call.get());
            } catch (StateStoreException failure) {
                return CompletableFuture.failedStage(failure);
            }
        }

        @Override
        public synchronized long syncedRevision() {
            return revision();
        }

        @Override
        public synchronized EngineHealth health() {
            return new EngineHealth(!closed, address, closed ? "closed; open it again" : "");
        }

        @Override
        public synchronized void close() {
            closed = true;
            store.close();
        }
    }
}
