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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a process left on disk, to be laid out again and again with damage. Without the lock, which holds nothing. */
record Remains(SortedMap<String, byte[]> files) {
    /** Of a directory that may still be open: what was answered is in it. */
    static Remains of(Path directory) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> listed = Files.list(directory)) {
            for (Path file : listed.toList()) {
                // reading the lock of an open database would drop it
                if (!file.endsWith("LOCK")) {
                    files.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
        }
        return new Remains(files);
    }

    /** The only one with this ending. */
    String named(String ending) {
        return files.keySet().stream()
                .filter(name -> name.endsWith(ending))
                .reduce((one, other) -> {
                    throw new AssertionError("both " + one + " and " + other + " end with " + ending);
                })
                .orElseThrow();
    }

    byte[] content(String name) {
        byte[] content = files.get(name);
        if (content == null) {
            throw new IllegalArgumentException(name + " is not in " + files.keySet());
        }
        return content.clone();
    }

    /** With another content of one file. */
    Remains with(String name, byte[] content) {
        SortedMap<String, byte[]> changed = new TreeMap<>(files);
        changed.put(name, content);
        return new Remains(changed);
    }

    Remains without(String name) {
        SortedMap<String, byte[]> changed = new TreeMap<>(files);
        changed.remove(name);
        return new Remains(changed);
    }

    /** Writes it into this directory, which holds nothing else afterwards. */
    void layOut(Path directory) {
        try {
            Files.createDirectories(directory);
            try (Stream<Path> old = Files.list(directory)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Files.write(directory.resolve(file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
