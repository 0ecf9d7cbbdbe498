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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file that says who has the database open, and is locked as long: a second lock beside RocksDB's, which is gone when
 * somebody deletes its file. RocksDB's own lock file must not even be read while this process has it: closing it would
 * drop the lock.
 */
final class Holder {
    private static final String NAME = "HOLDER";
    private static final int LONGEST = 200;

    private final Path file;
    private final Path lock;
    private @Nullable FileChannel held;

    Holder(Path directory) {
        file = directory.resolve(NAME);
        lock = directory.resolve("LOCK");
    }

    /** Only with RocksDB's lock held. */
    synchronized void write(Instant now) throws IOException {
        String text = "process " + ProcessHandle.current().pid() + " since " + now + "\n";
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new IOException(file + " is locked by another process");
            }
            channel.truncate(0);
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        held = channel;
    }

    /** Only with RocksDB's lock held. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    /** When the database is closed. */
    synchronized void release() throws IOException {
        if (held != null) {
            held.close();
            held = null;
        }
    }

    /** Left over when the last holder was killed. */
    boolean exists() {
        return Files.exists(file);
    }

    /**
     * Whether another process has one of the locks. Only when nothing in this process has the database open: looking drops
     * the lock that this process has. What cannot be looked at is left for RocksDB to find.
     */
    boolean isLockedElsewhere() {
        return isLockedElsewhere(lock) || isLockedElsewhere(file);
    }

    private static boolean isLockedElsewhere(Path file) {
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            return held == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The lock file, when it is another one's too, by a link: then the two would exclude each other, and to look whether
     * it is locked would drop the lock of a database that this process has open.
     */
    Optional<Path> linked() throws IOException {
        for (Path each : new Path[] {lock, file}) {
            if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)
                    && (!Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS) || names(each) > 1)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static int names(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                : 1;
    }

    /** In words; never fails, since it only explains a failure. */
    String describe() {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8).strip();
            return text.isEmpty() || text.length() > LONGEST ? "another process" : text;
        } catch (IOException e) {
            return "another process";
        }
    }
}
