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
import java.util.HashSet;
import java.util.Set;
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

        private Claim(Set<Object> names) {
            this.names = names;
        }

        void release() {
            synchronized (TAKEN) {
                TAKEN.removeAll(names);
            }
        }
    }

    private static final Set<Object> TAKEN = new HashSet<>();

    private OpenPlaces() {}

    /** @param real an existing directory, by its real path */
    static Claim claim(String uri, Path real) {
        Set<Object> names = new HashSet<>();
        names.add(real);
        Object file = fileKey(real);
        if (file != null) {
            names.add(file);
        }
        synchronized (TAKEN) {
            for (Object name : names) {
                if (TAKEN.contains(name)) {
                    throw new StoreUnavailableException(uri + " cannot be opened: this process ("
                            + ProcessHandle.current().pid() + ") has " + real
                            + " open already; share that engine, or close it first");
                }
            }
            TAKEN.addAll(names);
        }
        return new Claim(names);
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
