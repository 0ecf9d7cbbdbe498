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
package org.apache.eventmesh.state.tck.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a test writes beside its place. It is made when it is asked for, and goes with the test. */
final class TestFolder implements AutoCloseable {
    private @Nullable Path folder;
    private int given;

    /** Nothing is there; its parent is. */
    synchronized Path newPath() {
        try {
            Path made = folder == null ? Files.createTempDirectory("eventmesh-state-tck") : folder;
            folder = made;
            return made.resolve("new-" + ++given);
        } catch (IOException e) {
            throw new UncheckedIOException("the test needs a directory for temporary files", e);
        }
    }

    @Override
    public synchronized void close() {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be removed", e);
        }
    }
}
