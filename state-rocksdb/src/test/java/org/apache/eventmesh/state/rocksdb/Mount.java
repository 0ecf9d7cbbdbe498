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
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A file system with a size, rights or a fate of its own. Needs root; skips the test without. */
record Mount(Path directory) implements AutoCloseable {
    private static final String SHUT_DOWN = """
            use Fcntl;
            sysopen(my $mount, $ARGV[0], O_RDONLY) or die "cannot open: $!";
            select(undef, undef, undef, $ARGV[1]);
            open(my $gone, ">", $ARGV[3]) or die "cannot write: $!";
            ioctl($mount, 0x8004587d, pack("L", $ARGV[2])) or die "cannot shut down: $!";
            """;

    /** In memory. */
    static Mount tmpfs(Path directory, String options) throws IOException, InterruptedException {
        mustBeRoot();
        int code = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
        assumeTrue(code == 0, "mounting a file system is not allowed here");
        return new Mount(directory);
    }

    /** A file that {@link #ext4} mounts. */
    static void makeExt4(Path image, int mebibytes) throws IOException, InterruptedException {
        mustBeRoot();
        for (String tool : new String[] {"mkfs.ext4", "mount", "perl"}) {
            assumeTrue(isThere(tool), "needs " + tool + ", to take a file system its power");
        }
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength((long) mebibytes << 20);
        }
        int code = run("mkfs.ext4", "-q", "-F", image.toString());
        assumeTrue(code == 0, "mkfs.ext4 makes no file system here");
    }

    static Mount ext4(Path image, Path directory) throws IOException, InterruptedException {
        int code = run("mount", "-t", "ext4", "-o", "loop", image.toString(), directory.toString());
        assumeTrue(code == 0, "mounting a file as a file system is not allowed here");
        Mount mount = new Mount(directory);
        Files.deleteIfExists(mount.powerGone());
        return mount;
    }

    /**
     * A file outside of it that is there from a moment before the power goes. With the power the process would be gone as
     * well; here it lives on, and a sync whose transaction was just given up may still tell it of success: what it hears
     * when this file is there was heard by nobody.
     */
    Path powerGone() {
        return directory.resolveSibling(directory.getFileName() + ".power-gone");
    }

    /**
     * From that moment on nothing reaches the disk any more, as at a power loss. Of ext4 only.
     *
     * @param seconds from now
     * @param journal whether what the journal has of metadata still comes to the disk
     */
    void losePower(double seconds, boolean journal) throws IOException, InterruptedException {
        int code = run(
                "perl",
                "-e",
                SHUT_DOWN,
                directory.toString(),
                String.format(Locale.ROOT, "%.4f", seconds),
                journal ? "1" : "2",
                powerGone().toString());
        assumeTrue(code == 0, "the file system cannot be shut down here");
    }

    /** When nobody uses it any more. */
    void unmount() {
        Awaitility.await("unmounting " + directory)
                .ignoreExceptions()
                .until(() -> run("umount", directory.toString()) == 0);
    }

    /** Whoever still uses it, and also when it is unmounted already. */
    @Override
    public void close() throws IOException, InterruptedException {
        new ProcessBuilder("umount", "-l", directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static void mustBeRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root, to mount a file system");
    }

    private static boolean isThere(String tool) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
