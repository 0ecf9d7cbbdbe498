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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that says how long the MANIFEST and the logs were when the last opening had ended. They only grow: RocksDB
 * takes one that was cut at the end of a record for whole, forgets what stood behind and deletes the tables of it.
 */
final class LeastSizes {
    static final String NAME = "LEAST-SIZES";

    private static final Logger LOG = LoggerFactory.getLogger(LeastSizes.class);
    private static final String UNFINISHED = NAME + ".tmp";
    private static final Pattern GROWING = Pattern.compile("MANIFEST-\\d+|\\d+\\.log");
    private static final Pattern TEXT =
            Pattern.compile("((?:(?:MANIFEST-\\d+|\\d+\\.log) \\d{1,18}\n)*)checksum (\\d{1,10})\n");

    private LeastSizes() {}

    /** @throws CorruptStateException when one of them is shorter */
    static void check(Path directory) throws IOException {
        String text;
        try {
            text = Files.readString(directory.resolve(NAME), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return; // a checkpoint, or an opening that did not come so far
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || checksum(matcher.group(1)) != Long.parseLong(matcher.group(2))) {
            LOG.warn("{} is damaged; it is written again, and nothing else depends on it", directory.resolve(NAME));
            return;
        }
        for (String line : matcher.group(1).split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                mustHave(directory.resolve(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
            }
        }
    }

    /** One that is not there has been replaced by its successor; where it was lost, RocksDB misses it. */
    private static void mustHave(Path file, long least) throws IOException {
        if (Files.exists(file) && Files.size(file) < least) {
            throw new CorruptStateException(file + " was cut: it has " + Files.size(file) + " bytes and had " + least
                    + "; nothing was changed. Keep a copy of the directory and restore a checkpoint (docs/rocksdb.md)");
        }
    }

    /** Synced, as are the sizes that it names. */
    static void write(Path directory) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (GROWING.matcher(file.getFileName().toString()).matches()) {
                    syncedSize(file, sizes);
                }
            }
        }
        String lines = sizes.entrySet().stream()
                .map(size -> size.getKey() + " " + size.getValue() + "\n")
                .collect(Collectors.joining());
        Path unfinished = directory.resolve(UNFINISHED);
        SyncedFile.write(
                unfinished,
                lines + "checksum " + checksum(lines) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        Files.move(unfinished, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void syncedSize(Path file, Map<String, Long> sizes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            // as it is now: RocksDB may be adding to it
            long size = channel.size();
            channel.force(true);
            sizes.put(file.getFileName().toString(), size);
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted meanwhile", file, e);
        }
    }

    private static long checksum(String lines) {
        CRC32C crc = new CRC32C();
        crc.update(lines.getBytes(StandardCharsets.ISO_8859_1));
        return crc.getValue();
    }
}
