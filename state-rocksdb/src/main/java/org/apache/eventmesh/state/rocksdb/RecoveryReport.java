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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line of log for each opening: what was found, how it was left, what was dropped.
 *
 * @param unclean whether the last holder did not close it
 * @param logs write-ahead logs found
 * @param bytes in them
 */
record RecoveryReport(Path directory, boolean unclean, long logs, long bytes) {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryReport.class);

    static RecoveryReport before(Path directory, Holder holder) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> logs =
                    files.filter(file -> file.toString().endsWith(".log")).toList();
            long bytes = logs.stream().mapToLong(file -> file.toFile().length()).sum();
            return new RecoveryReport(directory, holder.exists(), logs.size(), bytes);
        } catch (IOException e) {
            return new RecoveryReport(directory, holder.exists(), 0, 0);
        }
    }

    void log(String uri, OpenDatabase opened) {
        LOG.info(
                "{} is open at revision {}, incarnation {}; {} bytes of {} logs were read{}",
                uri,
                opened.lastCommitted(),
                opened.incarnation(),
                bytes,
                logs,
                unclean ? "; its last holder did not close it" : "");
        logDropped(uri, directory);
    }

    static void logDropped(String uri, Path directory) {
        List<String> dropped = dropped(directory);
        if (!dropped.isEmpty()) {
            LOG.warn("{}: recovery dropped the end of a log, from its first damage on: {}", uri, dropped);
        }
    }

    /** What the present opening dropped; RocksDB tells only its own log. */
    static List<String> dropped(Path directory) {
        try (Stream<String> lines = Files.lines(directory.resolve("LOG"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("dropping") || line.contains("Point in time recovered"))
                    .limit(10)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{}: what recovery dropped is not known", directory, e);
            return List.of();
        }
    }
}
