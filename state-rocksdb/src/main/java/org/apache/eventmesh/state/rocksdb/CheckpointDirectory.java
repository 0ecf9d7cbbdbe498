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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a checkpoint is to be: there is all of it, synced and marked as a copy, or nothing of that name. It grows under a
 * name of its own; what a killed process leaves is one of those, and no opening takes it for a data set.
 *
 * @param backend whose state it is, for messages
 * @param state the directory of that state
 * @param target absolute
 */
record CheckpointDirectory(String backend, Path state, Path target) {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointDirectory.class);

    /** @throws RocksDBException when a file of the state is damaged; then too nothing is left here */
    void write(Database database) throws RocksDBException {
        Path parent = mustBeFree();
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished-" + UUID.randomUUID());
        try {
            database.checkpoint(unfinished);
            // before it has its name: without the marker, or with that of the state, it would not begin another life
            Marker.copy(unfinished);
            // an empty directory of that name would be replaced, and another is refused
            Path unused = mustBeFree();
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            Marker.sync(parent);
        } catch (RocksDBException e) {
            discard(unfinished);
            if (Failures.isDamage(e)) {
                throw e;
            }
            throw refusal(Failures.reason(e), remedy(Failures.isNoSpace(e)), e);
        } catch (IOException e) {
            discard(unfinished);
            throw refusal(e.toString(), remedy(false), e);
        } catch (RuntimeException | Error e) {
            discard(unfinished);
            throw e;
        }
    }

    /** @return the directory that it is to be in */
    private Path mustBeFree() {
        Path parent = target.getParent();
        if (parent == null || target.getFileName() == null || !Files.isDirectory(parent)) {
            throw refusal("there is no directory " + parent, "make it, or name a directory in one that is there", null);
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw refusal(target + " exists", "name a directory that does not exist yet", null);
        }
        try {
            if (parent.toRealPath().startsWith(state.toRealPath())) {
                throw refusal(
                        "it lies in the directory of the state itself", "name one that is not lost with that", null);
            }
            return parent;
        } catch (IOException e) {
            throw refusal(e.toString(), remedy(false), e);
        }
    }

    private static String remedy(boolean noSpace) {
        return noSpace ? "free some space there and write another" : "look at that disk and write another";
    }

    private StoreUnavailableException refusal(String why, String remedy, @Nullable Exception cause) {
        return new StoreUnavailableException(
                "cannot write a checkpoint of " + backend + " to " + target + ": " + why
                        + "; nothing was changed, and nothing is left of it. Remedy: " + remedy,
                cause);
    }

    /** What RocksDB left under the name, or under that of its own that goes before it. */
    private static void discard(Path unfinished) {
        for (Path each : List.of(unfinished, unfinished.resolveSibling(unfinished.getFileName() + ".tmp"))) {
            try (Stream<Path> files = Files.exists(each) ? Files.walk(each) : Stream.empty()) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                LOG.warn("{} cannot be deleted; do so, nothing needs it", each, e);
            }
        }
    }
}
