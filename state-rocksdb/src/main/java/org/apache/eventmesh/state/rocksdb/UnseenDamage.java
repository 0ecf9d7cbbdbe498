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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the damage that RocksDB would not see, before it opens a directory: with it, RocksDB leaves out some of what
 * a log holds and goes on behind it, forgets tables, or reads the file for ever.
 */
final class UnseenDamage {
    private static final Logger LOG = LoggerFactory.getLogger(UnseenDamage.class);

    private static final Pattern LOG_NAME = Pattern.compile("(\\d{1,18})\\.log");
    private static final Pattern MANIFEST_NAME = Pattern.compile("(MANIFEST-\\d+)\n");

    private UnseenDamage() {}

    /**
     * Puts damage that RocksDB sees in the place of what it would not see in a log: it drops what stands behind that, as
     * behind all damage, also in the logs that follow, and what is left is a prefix. That is reported.
     *
     * @param strict nothing may be dropped
     * @throws CorruptStateException where nothing may be dropped: then nothing was changed
     * @throws StoreUnavailableException when somebody else holds the lock, or the files cannot be read
     */
    static void treat(Path directory, boolean strict) {
        // nobody may be writing to them; RocksDB takes the same lock when it is free again
        try (FileChannel lock = FileChannel.open(
                        directory.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.tryLock()) {
            if (held == null) {
                throw inUse(directory, null);
            }
            treatLocked(directory, strict);
        } catch (OverlappingFileLockException e) {
            throw inUse(directory, e);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "the logs in " + directory + " cannot be read: " + e + "; look at the disk", e);
        }
    }

    /** Unseen, its damage would be opened with it. */
    private static StoreUnavailableException inUse(Path directory, @Nullable Exception cause) {
        return new StoreUnavailableException(
                directory + " cannot be opened: " + new Holder(directory).describe()
                        + " holds its lock, so that its files"
                        + " cannot be looked at; one process at a time: stop that one, or open it again when it has let go",
                cause);
    }

    private static void treatLocked(Path directory, boolean strict) throws IOException {
        LeastSizes.check(directory);
        refuseManifest(directory);
        List<Path> logs = logs(directory);
        List<LogFile> contents = new ArrayList<>();
        for (Path log : logs) {
            contents.add(LogFile.read(log));
        }
        for (int i = 0; i < logs.size(); i++) {
            Path log = logs.get(i);
            LogFile found = contents.get(i);
            boolean hole = i + 1 < logs.size() && isHole(found, contents.get(i + 1));
            if (strict && (hole || found.end() != LogFile.End.WHOLE)) {
                throw damaged(log, found);
            }
            if (found.end() == LogFile.End.UNSEEN || found.end() == LogFile.End.ZEROED || hole) {
                show(log, found);
            }
        }
    }

    /** Behind a log that seems to be whole. RocksDB gives each write the next number. */
    private static boolean isHole(LogFile log, LogFile next) {
        return log.end() == LogFile.End.WHOLE
                && log.next().isPresent()
                && next.first().isPresent()
                && next.first().getAsLong() > log.next().getAsLong();
    }

    /** Where there is none to look at, RocksDB says so itself. */
    private static void refuseManifest(Path directory) throws IOException {
        Path current = directory.resolve("CURRENT");
        if (!Files.isRegularFile(current)) {
            return;
        }
        Matcher name = MANIFEST_NAME.matcher(Files.readString(current, StandardCharsets.ISO_8859_1));
        Path manifest = name.matches() ? directory.resolve(name.group(1)) : null;
        if (manifest == null || !Files.isRegularFile(manifest)) {
            return;
        }
        LogFile found = LogFile.read(manifest);
        if (found.end() == LogFile.End.UNSEEN || found.end() == LogFile.End.DAMAGED) {
            throw damaged(manifest, found);
        }
    }

    private static CorruptStateException damaged(Path file, LogFile found) {
        String why = switch (found.end()) {
            case DAMAGED -> "a checksum does not match";
            case TORN -> "a record is cut off there";
            case WHOLE -> "what stood behind it is missing";
            case ZEROED, UNSEEN -> "no record can end there";
        };
        return new CorruptStateException(file + " is damaged at byte " + found.at() + " of " + found.size() + " (" + why
                + "); nothing was changed. Keep a copy of the directory" + remedy(found));
    }

    /** Such an end is mostly that of a crash, of a full disk or of a power loss, and no fault of the disk. */
    private static String remedy(LogFile found) {
        return switch (found.end()) {
            case TORN, ZEROED ->
                "; " + RocksSettings.OPEN_ONCE_WITHOUT_STRICT + "; else restore a checkpoint (docs/rocksdb.md)";
            case WHOLE, DAMAGED, UNSEEN -> " and restore a checkpoint (docs/rocksdb.md)";
        };
    }

    private static void show(Path log, LogFile found) throws IOException {
        LOG.warn("{} is damaged at byte {} of {}: what stood behind is dropped", log, found.at(), found.size());
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            ByteBuffer damage = LogFile.damage();
            while (damage.hasRemaining()) {
                channel.write(damage, found.at() + damage.position());
            }
            channel.force(true);
        }
    }

    /** The oldest first. */
    private static List<Path> logs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            LOG_NAME.matcher(file.getFileName().toString()).matches())
                    .sorted(Comparator.comparingLong(UnseenDamage::number))
                    .toList();
        }
    }

    private static long number(Path log) {
        String name = log.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }
}
