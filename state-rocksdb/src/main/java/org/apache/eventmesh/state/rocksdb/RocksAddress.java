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
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the data is: {@code rocksdb:///directory} or {@code rocksdb:/directory}, percent-encoded. */
record RocksAddress(String uri, Path directory) {
    static final String SCHEME = "rocksdb";

    static RocksAddress parse(String uri) {
        String path = path(uri);
        try {
            return new RocksAddress(uri, Path.of(path));
        } catch (InvalidPathException e) {
            throw malformed(uri, "it is not a path on this system: " + e.getMessage(), e);
        }
    }

    /**
     * The one name of this place: symbolic links of what exists are resolved, so that every way to write the same
     * directory gives the same path. Creates nothing.
     */
    Path real() {
        Path existing = directory;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            return existing.toRealPath().resolve(existing.relativize(directory)).normalize();
        } catch (IOException e) {
            // Not allowed to look: opening will say so, with what to do.
            return directory;
        }
    }

    private static String path(String uri) {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            throw malformed(uri, e.getReason() + " at character " + e.getIndex(), e);
        }
        String path = parsed.getPath();
        if (!SCHEME.equals(parsed.getScheme()) || path == null || !path.startsWith("/")) {
            throw malformed(uri, "the directory must be absolute", null);
        }
        if (parsed.getRawAuthority() != null || parsed.getRawQuery() != null || parsed.getRawFragment() != null) {
            throw malformed(uri, "it takes no host, no query and no fragment", null);
        }
        return encodable(uri, path);
    }

    /** RocksDB is given the name in the JVM's modified UTF-8; where that is not the file system's, two names differ. */
    private static String encodable(String uri, String path) {
        boolean ascii = path.chars().allMatch(c -> c < 128);
        if (path.chars().anyMatch(c -> c == 0 || c == '\uFFFD' || Character.isSurrogate((char) c))) {
            throw malformed(uri, "it holds a character that RocksDB cannot take in a file name", null);
        }
        if (!ascii && !fileNames().equals(StandardCharsets.UTF_8)) {
            throw malformed(uri, "this JVM writes file names as " + fileNames() + ", RocksDB as UTF-8", null);
        }
        return path;
    }

    private static Charset fileNames() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    private static IllegalArgumentException malformed(String uri, String why, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "\"" + uri + "\" is no address of a RocksDB directory: " + why
                        + "; write rocksdb:///path/to/directory, with other characters than"
                        + " letters, digits and -._~/ as %XX of their UTF-8 form",
                cause);
    }
}
