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
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that says that a directory is ours, in which format, and how far its first opening came. It is read before
 * RocksDB may touch anything: RocksDB would write into a directory of whomever.
 */
record Marker(int format, Stage stage) {
    static final String NAME = "EVENTMESH-STATE";

    /** How the names begin of those that a crash left unfinished. */
    private static final String UNFINISHED = NAME + ".tmp";

    enum Stage {
        /** The first opening did not end yet: nothing was ever answered from here. */
        STARTED,
        COMPLETE,
        /** A checkpoint: when it is opened, a new life begins. */
        COPY
    }

    private static final Pattern TEXT = Pattern.compile("format=(\\d{1,9})\nstage=([A-Z]+)\nThis directory .*\n");

    /** A file that is not readable as one gives a marker without a format. */
    static Optional<Marker> read(Path directory) throws IOException {
        String text;
        try {
            text = Files.readString(directory.resolve(NAME), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            for (Stage stage : Stage.values()) {
                if (stage.name().equals(matcher.group(2))) {
                    return Optional.of(new Marker(Integer.parseInt(matcher.group(1)), stage));
                }
            }
        }
        return Optional.of(new Marker(0, Stage.STARTED));
    }

    boolean isReadable() {
        return format > 0;
    }

    /** Whether a file of this name is a marker that was never finished. */
    static boolean isUnfinished(String name) {
        return name.startsWith(UNFINISHED);
    }

    /**
     * Puts the first one, whole or not at all: whoever starts the directory at the same moment must not take it for torn.
     *
     * @throws FileAlreadyExistsException when there is one
     */
    static void start(Path directory) throws IOException {
        Path marker = directory.resolve(NAME);
        Path unfinished = write(directory, Stage.STARTED);
        try {
            Files.createLink(marker, unfinished);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | IOException e) {
            // a file system without links
            write(marker, Stage.STARTED, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        sync(directory);
    }

    static void startAgain(Path directory) throws IOException {
        replace(directory, Stage.STARTED);
    }

    static void complete(Path directory) throws IOException {
        replace(directory, Stage.COMPLETE);
    }

    static void copy(Path directory) throws IOException {
        replace(directory, Stage.COPY);
    }

    private static void replace(Path directory, Stage stage) throws IOException {
        Path unfinished = write(directory, stage);
        Files.move(unfinished, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
    }

    /** Under a name of its own: another process may be writing one too. */
    private static Path write(Path directory, Stage stage) throws IOException {
        Path unfinished = directory.resolve(UNFINISHED + "-" + UUID.randomUUID());
        write(unfinished, stage, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return unfinished;
    }

    private static void write(Path file, Stage stage, OpenOption... options) throws IOException {
        String text = "format=" + Metadata.FORMAT_VERSION + "\nstage=" + stage
                + "\nThis directory is kept by EventMesh state. Change nothing in it; copy it only by a checkpoint.\n";
        SyncedFile.write(file, text, options);
    }

    /** A new name is durable only with its directory. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
