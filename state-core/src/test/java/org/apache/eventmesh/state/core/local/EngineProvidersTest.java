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
package org.apache.eventmesh.state.core.local;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EngineProvidersTest {
    /** Provides {@code stub:}. */
    public static final class Known extends StubProvider {}

    /** Provides {@code stub:} as well. */
    public static final class Rival extends StubProvider {}

    @TempDir
    private Path services;

    @ParameterizedTest
    @ValueSource(strings = {"", "memory", ":", ":x", "/var/lib/state", "Rocksdb:/x", "1x:y", "a b:c"})
    void aMalformedAddressIsNamed(String uri) {
        assertThatThrownBy(() -> EngineProviders.scheme(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + uri + "'")
                .hasMessageContaining("rocksdb:///");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stub:", "stub:x", "stub://a:1,b:2/c", "stub:line\nbreak"})
    void theSchemeStandsBeforeTheFirstColon(String uri) {
        assertThat(EngineProviders.scheme(uri)).isEqualTo("stub");
    }

    @Test
    void theOneProviderIsFoundAlsoWhenTwoLoadersKnowIt() throws IOException {
        URLClassLoader first = loader(Known.class.getName());
        URLClassLoader second = loader(Known.class.getName());
        assertThat(EngineProviders.of("stub:x", Set.of(first, second))).isInstanceOf(Known.class);
    }

    @Test
    void theThreadsLoaderIsAsked() throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(loader(Known.class.getName()));
            assertThat(EngineProviders.of("stub:x")).isInstanceOf(Known.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void anUnknownSchemeListsWhatIsThereAndSaysWhatToAdd() throws IOException {
        URLClassLoader loader = loader(Known.class.getName());
        assertThatThrownBy(() -> EngineProviders.of("rocksdb:///x", Set.of(loader)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'rocksdb'")
                .hasMessageContaining("stub (" + Known.class.getName())
                .hasMessageContaining("org.apache.eventmesh:eventmesh-state-rocksdb");
        assertThatThrownBy(() -> EngineProviders.of("none:", Set.of(loader())))
                .hasMessageContaining("found: none")
                .hasMessageContaining("the artifact that provides it");
    }

    @Test
    void twoProvidersOfOneSchemeAreNamed() throws IOException {
        URLClassLoader loader = loader(Known.class.getName(), Rival.class.getName());
        assertThatThrownBy(() -> EngineProviders.of("stub:x", Set.of(loader)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Known.class.getName())
                .hasMessageContaining(Rival.class.getName());
    }

    @Test
    void aProviderThatCannotBeLoadedHidesNoOtherAndIsNamed() throws IOException {
        URLClassLoader loader = loader("no.such.Provider", Known.class.getName());
        assertThat(EngineProviders.of("stub:x", Set.of(loader))).isInstanceOf(Known.class);
        assertThatThrownBy(() -> EngineProviders.of("other:x", Set.of(loader)))
                .hasMessageContaining("no.such.Provider");
    }

    private URLClassLoader loader(String... providers) throws IOException {
        Path directory = Files.createTempDirectory(services, "loader");
        Path file = directory.resolve("META-INF/services/" + EngineProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", providers));
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, EngineProvider.class.getClassLoader());
    }
}
