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
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The directories that this JVM has open. RocksDB's lock belongs to the process and compares names: the same directory
 * under another name would be opened twice and destroyed.
 */
final class OpenPlaces {
    /** One directory, until it is released. */
    static final class Claim {
        private final Set<Object> names;
        private boolean settled;

        private Claim(Set<Object> names) {
            this.names = names;
        }

        /** The opening has succeeded: whoever wants it too is refused, and does not wait. */
        void settled() {
            synchronized (TAKEN) {
                settled = true;
                TAKEN.notifyAll();
            }
        }

        void release() {
            synchronized (TAKEN) {
                TAKEN.keySet().removeAll(names);
                TAKEN.notifyAll();
            }
        }
    }

    private static final Map<Object, Claim> TAKEN = new HashMap<>();

    private OpenPlaces() {}

    /**
     * Waits while another opening of it is under way: one that its caller has left behind ends by itself.
     *
     * @param real an existing directory, by its real path
     * @param deadline of that wait
     */
    static Claim claim(String uri, Path real, Duration deadline) {
        Set<Object> names = new HashSet<>();
        names.add(real);
        Object file = fileKey(real);
        if (file != null) {
            names.add(file);
        }
        Claim mine = new Claim(names);
        long end = System.nanoTime() + deadline.toNanos();
        synchronized (TAKEN) {
            for (Claim other = present(names); other != null; other = present(names)) {
                long left = end - System.nanoTime();
                if (other.settled || left <= 0 || !await(left)) {
                    throw new StoreUnavailableException(uri + " cannot be opened: this process ("
                            + ProcessHandle.current().pid() + ") has " + real
                            + " open already; share that engine, or close it first");
                }
            }
            names.forEach(name -> TAKEN.put(name, mine));
        }
        return mine;
    }

    private static @Nullable Claim present(Set<Object> names) {
        return names.stream()
                .map(TAKEN::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** {@code false} when interrupted. */
    private static boolean await(long nanos) {
        try {
            // Rounded up: a wait of zero would last for ever.
            TAKEN.wait(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Device and number: also the same when it is mounted at two places. */
    private static @Nullable Object fileKey(Path real) {
        try {
            return Files.readAttributes(real, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
