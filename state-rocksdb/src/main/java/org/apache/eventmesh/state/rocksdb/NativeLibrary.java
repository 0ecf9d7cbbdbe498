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

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extracts RocksDB's native library (17 MB) into a directory of ours. Left to itself it goes to the temporary
 * directory, and stays there for each process that is killed.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String LOCK = "lock";
    private static final Set<PosixFilePermission> OURS_ONLY = PosixFilePermissions.fromString("rwx------");

    private static boolean loaded;
    /** Held until the process ends: whoever cleans up sees by it that the library is in use. */
    private static final List<FileLock> IN_USE = new ArrayList<>();

    private NativeLibrary() {}

    static synchronized void load() {
        if (loaded) {
            return;
        }
        Path parent = Path.of(
                System.getProperty("java.io.tmpdir"), "eventmesh-state-rocksdb-" + System.getProperty("user.name"));
        try {
            if (System.getenv("ROCKSDB_SHAREDLIB_DIR") == null) {
                extract(parent);
            }
            RocksDB.loadLibrary();
            loaded = true;
        } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
            throw unusable(parent, e);
        }
    }

    private static void extract(Path parent) throws IOException {
        create(parent);
        try (FileChannel channel = open(parent.resolve(LOCK));
                FileLock alone = channel.lock()) {
            clean(parent);
            extractBeside(parent);
        } catch (OverlappingFileLockException e) {
            // Another class loader of this process is at it; it leaves what belongs to this process alone.
            extractBeside(parent);
        }
    }

    private static void extractBeside(Path parent) throws IOException {
        Path own = Files.createTempDirectory(
                parent, "rocksdb-" + ProcessHandle.current().pid() + "-");
        IN_USE.add(open(own.resolve(LOCK)).lock());
        // Deleted at exit in reverse order, after the library, which the loader names behind these.
        own.toFile().deleteOnExit();
        own.resolve(LOCK).toFile().deleteOnExit();
        NativeLibraryLoader.getInstance().loadLibrary(own.toString());
    }

    private static FileChannel open(Path lock) throws IOException {
        return FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void create(Path parent) throws IOException {
        if (Files.notExists(parent)) {
            Files.createDirectories(parent, PosixFilePermissions.asFileAttribute(OURS_ONLY));
        }
        // Whoever may write here may run code as us.
        Path probe = Files.createTempFile(parent, "owner", "");
        try {
            if (Files.isSymbolicLink(parent)
                    || !Files.getOwner(probe).equals(Files.getOwner(parent))
                    || !OURS_ONLY.equals(Files.getPosixFilePermissions(parent))) {
                throw new IOException(parent + " is not a directory that belongs to this user alone");
            }
        } finally {
            Files.delete(probe);
        }
    }

    /** Removes what killed processes left. */
    private static void clean(Path parent) throws IOException {
        List<Path> left;
        try (Stream<Path> directories = Files.list(parent)) {
            left = directories.filter(Files::isDirectory).toList();
        }
        for (Path directory : left) {
            // Not one of this process (of another class loader): closing its lock file would drop its lock.
            if (!directory
                    .getFileName()
                    .toString()
                    .contains("-" + ProcessHandle.current().pid() + "-")) {
                cleanOne(directory);
            }
        }
    }

    private static void cleanOne(Path directory) {
        try (FileChannel channel = open(directory.resolve(LOCK));
                FileLock free = channel.tryLock()) {
            if (free != null) {
                File[] files = directory.toFile().listFiles();
                for (File file : files == null ? new File[0] : files) {
                    Files.delete(file.toPath());
                }
                Files.delete(directory);
            }
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("cannot clean {}", directory, e);
        }
    }

    private static StateStoreException unusable(Path parent, Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new StoreUnavailableException(
                "cannot load RocksDB's native library from " + parent + ": " + cause.getMessage()
                        + "; name by -Djava.io.tmpdir=... a directory that this user can write and that is not mounted"
                        + " noexec, or name by the environment variable ROCKSDB_SHAREDLIB_DIR the library's own directory",
                e);
    }
}
