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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one data set, looked at before RocksDB is: nothing is written into one that is not ours.
 *
 * @param life what opening it means
 */
record StateDirectory(String uri, Path path, OpenDatabase.Life life) {
    /** What a fresh file system brings along. */
    private static final String LOST_AND_FOUND = "lost+found";

    /** Creates the directory when it is missing, and starts it when it is empty. */
    static StateDirectory prepare(String uri, Path path) {
        try {
            mustBeUsable(uri, path);
            Optional<Marker> marker = Files.exists(path) ? Marker.read(path) : Optional.empty();
            if (marker.isPresent()) {
                return new StateDirectory(uri, path, life(uri, path, marker.get()));
            }
            if (Files.exists(path) && !isEmpty(uri, path)) {
                // somebody else has started it since we looked
                return prepare(uri, path);
            }
            create(path);
            start(path);
            return new StateDirectory(uri, path, OpenDatabase.Life.BEGINS);
        } catch (IOException e) {
            throw unusable(uri, e.toString(), "give this process a directory that it can write", e);
        }
    }

    /** After the database was opened. */
    void opened() {
        if (life != OpenDatabase.Life.GOES_ON) {
            try {
                Marker.complete(path);
            } catch (IOException e) {
                throw unusable(uri, e.toString(), "look at the disk", e);
            }
        }
    }

    private static OpenDatabase.Life life(String uri, Path path, Marker marker) throws IOException {
        if (!marker.isReadable()) {
            if (names(path).stream().anyMatch(StateDirectory::isOfRocks)) {
                throw new CorruptStateException(uri + " cannot be opened: " + path.resolve(Marker.NAME)
                        + " is damaged; restore a checkpoint (docs/rocksdb.md)");
            }
            // Torn in the very first opening, before there was anything else.
            Marker.startAgain(path);
            return OpenDatabase.Life.BEGINS;
        }
        if (marker.format() != Metadata.FORMAT_VERSION) {
            throw new IncompatibleFormatException(uri + " cannot be opened: " + path + " holds, as its file "
                    + Marker.NAME + " says, state of format " + marker.format() + ", this version reads format "
                    + Metadata.FORMAT_VERSION
                    + "; open it with the version that wrote it");
        }
        return switch (marker.stage()) {
            case STARTED -> OpenDatabase.Life.BEGINS;
            case COMPLETE -> {
                mustHaveLog(uri, path);
                yield OpenDatabase.Life.GOES_ON;
            }
            case COPY -> OpenDatabase.Life.BEGINS_AGAIN;
        };
    }

    /** Every opening begins a log and the last one stays; RocksDB would not miss it, nor what was synced into it. */
    private static void mustHaveLog(String uri, Path path) throws IOException {
        if (names(path).stream().noneMatch(name -> name.endsWith(".log"))) {
            throw new CorruptStateException(
                    uri + " cannot be opened: the log file is missing from " + path
                            + ", and with it the last writes; nothing was changed. Put it back, or restore a checkpoint (docs/rocksdb.md)");
        }
    }

    private static void mustBeUsable(String uri, Path path) {
        Path existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw unusable(uri, existing + " is a file", "name a directory", null);
        }
        if (!Files.isReadable(existing) || !Files.isWritable(existing) || !Files.isExecutable(existing)) {
            throw unusable(
                    uri,
                    existing + " cannot be read and written by the user " + System.getProperty("user.name"),
                    "grant that, or mount the file system for writing",
                    null);
        }
    }

    /** @return {@code false} when it is ours by now */
    private static boolean isEmpty(String uri, Path path) throws IOException {
        Set<String> names = names(path);
        names.removeIf(name -> name.equals(LOST_AND_FOUND) || Marker.isUnfinished(name));
        if (names.isEmpty()) {
            return true;
        }
        if (names.contains(Marker.NAME)) {
            return false;
        }
        boolean rocks = names.stream().anyMatch(StateDirectory::isOfRocks);
        throw new IncompatibleFormatException(uri + " cannot be opened: " + path
                + (rocks
                        ? " holds a RocksDB database that this library did not create, or whose file " + Marker.NAME
                                + " is gone: put that back, or restore a checkpoint (docs/rocksdb.md)"
                        : " is not empty and not ours (it holds "
                                + names.stream().limit(3).toList() + ")")
                + "; name an empty or a new directory");
    }

    /** What would be lost if a database began there. */
    private static boolean isOfRocks(String name) {
        return name.equals("CURRENT")
                || name.startsWith("MANIFEST-")
                || name.endsWith(".sst")
                || name.matches("[0-9]+\\.log");
    }

    private static Set<String> names(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Each new directory is durable only with the one it is in. */
    private static void create(Path path) throws IOException {
        if (Files.exists(path)) {
            return;
        }
        Path parent = path.getParent();
        if (parent != null) {
            create(parent);
            try {
                Files.createDirectory(path);
            } catch (FileAlreadyExistsException e) {
                return;
            }
            Marker.sync(parent);
        }
    }

    private static void start(Path path) throws IOException {
        try {
            Marker.start(path);
        } catch (FileAlreadyExistsException e) {
            // Another process opens it at this moment: the lock of the database will decide.
        }
    }

    private static StateStoreException unusable(String uri, String why, String remedy, @Nullable Exception cause) {
        return new StoreUnavailableException(uri + " cannot be opened: " + why + "; " + remedy, cause);
    }
}
