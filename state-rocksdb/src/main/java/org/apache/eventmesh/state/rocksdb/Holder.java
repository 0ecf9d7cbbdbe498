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
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * The file that says who has the database open. RocksDB's own lock file must not even be read for that while this process
 * has it: closing it would drop the lock.
 */
final class Holder {
    private static final String NAME = "HOLDER";
    private static final int LONGEST = 200;

    private final Path file;
    private final Path lock;

    Holder(Path directory) {
        file = directory.resolve(NAME);
        lock = directory.resolve("LOCK");
    }

    /** Only with the lock held. */
    void write(Instant now) throws IOException {
        Files.writeString(file, "process " + ProcessHandle.current().pid() + " since " + now + "\n");
    }

    /** Only with the lock held. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Left over when the last holder was killed. */
    boolean exists() {
        return Files.exists(file);
    }

    /**
     * Whether another process has RocksDB's lock. Only when nothing in this process has the database open: looking drops
     * the lock that this process has. What cannot be looked at is left for RocksDB to find.
     */
    boolean isLockedElsewhere() {
        if (!Files.exists(lock)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            return held == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
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
