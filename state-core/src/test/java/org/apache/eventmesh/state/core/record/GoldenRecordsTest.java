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
package org.apache.eventmesh.state.core.record;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every record that was ever written is read as it was meant. A golden file holds a key and a value in hexadecimal, then how
 * they read. Files of a released version are never changed. Before a release, write those of the present version with
 * {@code mvn -pl state-core -am test -Dtest=GoldenRecordsTest -Dgolden.write=true -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class GoldenRecordsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final HexFormat HEX = HexFormat.of();

    @TestFactory
    Stream<DynamicTest> required_G13_what_was_written_is_read_as_it_was_meant() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.walk(GOLDEN)) {
            found.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(GOLDEN.relativize(file).toString(), () -> read(file)));
    }

    @Test
    @DisabledIfSystemProperty(named = "golden.write", matches = "true")
    void required_G13_every_record_has_a_golden_file_of_the_present_format() {
        assertThat(codecs().keySet())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(file(name)).exists());
    }

    @Test
    @EnabledIfSystemProperty(named = "golden.write", matches = "true")
    void write() throws IOException {
        for (String name : codecs().keySet()) {
            Codec<?> codec = codec(name);
            Bytes key = Filled.key(codec.table());
            Bytes value = filled(codec);
            Files.createDirectories(file(name).getParent());
            Files.writeString(
                    file(name),
                    HEX.formatHex(key.toArray()) + "\n" + HEX.formatHex(value.toArray()) + "\n"
                            + readable(codec, key, value));
        }
    }

    private static void read(Path file) throws IOException {
        String[] parts = Files.readString(file).split("\n", 3);
        Codec<?> codec = codec(file.getFileName().toString().replace(".golden", ""));
        Bytes key = Bytes.of(HEX.parseHex(parts[0]));
        Bytes value = Bytes.of(HEX.parseHex(parts[1]));
        assertThat(readable(codec, key, value)).isEqualTo(parts[2]);
        assertThat(rewritten(codec, key, value)).isEqualTo(value);
    }

    private static String readable(Codec<?> codec, Bytes key, Bytes value) {
        return KeyText.of(key) + "\n"
                + TextFormat.printer().escapingNonAscii(false).printToString(codec.decode(key, value));
    }

    private static <M extends Message> Bytes rewritten(Codec<M> codec, Bytes key, Bytes value) {
        return codec.encode(codec.decode(key, value));
    }

    private static <M extends Message> Bytes filled(Codec<M> codec) {
        M empty = codec.decode(Bytes.EMPTY, Envelope.seal(new byte[0]));
        return Envelope.seal(Filled.message(empty.newBuilderForType()).build().toByteArray());
    }

    private static Path file(String name) {
        return GOLDEN.resolve("v" + Envelope.FORMAT).resolve(name + ".golden");
    }

    private static Codec<?> codec(String name) {
        Codec<?> codec = codecs().get(name);
        assertThat(codec).as("the codec of " + name).isNotNull();
        return codec;
    }

    private static Map<String, Codec<?>> codecs() {
        Map<String, Codec<?>> codecs = new TreeMap<>();
        for (Field field : Records.class.getFields()) {
            if (field.getType() == Codec.class) {
                try {
                    codecs.put(field.getName().toLowerCase(Locale.ROOT), (Codec<?>) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return codecs;
    }
}
