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
package org.apache.eventmesh.state.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Every source says under which licence it is. The formatter writes the header, but not into every kind of file. */
class LicenceTest {
    private static final Path REPOSITORY = Path.of("..", "..");
    private static final Set<String> GENERATED = Set.of(".git", "target");
    private static final Set<String> SOURCES = Set.of("java", "proto", "xml", "properties", "sh", "py", "yml", "yaml");

    @Test
    void every_source_names_its_licence() throws IOException {
        List<String> without = new ArrayList<>();
        Files.walkFileTree(REPOSITORY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return GENERATED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isSource(file) && !head(file).contains("Licensed to the Apache Software Foundation")) {
                    without.add(REPOSITORY.relativize(file).toString());
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(without).as("files without the licence header").isEmpty();
    }

    private static boolean isSource(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (name.equals("maven-wrapper.properties") || name.equals(".flattened-pom.xml")) {
            return false; // written by a plugin
        }
        int dot = name.lastIndexOf('.');
        return dot < 0 ? head(file).startsWith("#!") : SOURCES.contains(name.substring(dot + 1));
    }

    private static String head(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(1024), StandardCharsets.ISO_8859_1);
        }
    }
}
