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
package org.apache.eventmesh.state.readme;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the documents show of Java compiles, with what stands around it below. */
class DocumentsTest {
    private static final Path DOCUMENTS = Path.of("..", "..", "docs");

    private static final Pattern CODE = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    private static final Pattern TYPE =
            Pattern.compile("^(?:(?:public|final|abstract) )*(?:class|record|interface|enum) ");

    /** Shows lines of the tests of the in-memory engine, which are run with it. */
    private static final String OF_OTHER_TESTS = "mutants.md";

    /** What a reader has at hand where a document shows some code; each document is a class with its types and steps. */
    private static final String AROUND = """
            package documents;

            import java.nio.file.Path;
            import java.util.List;
            import java.util.Optional;
            import java.util.Set;
            import org.apache.eventmesh.state.*;
            import org.apache.eventmesh.state.engine.*;
            import org.apache.eventmesh.state.result.*;
            import org.apache.eventmesh.state.tck.*;
            import org.apache.eventmesh.state.tck.engine.*;
            import org.apache.eventmesh.state.tck.kit.*;

            abstract class %s {
                StateStores stores;
                String user;
                String password;

                static Path newTemporaryFolder() {
                    return Path.of("somewhere");
                }

                static void delete(Path folder) {}

                /** The backend of whoever reads the guide for authors. */
                record MyEngineProvider(EngineProvider wrapped) implements EngineProvider {
                    MyEngineProvider() {
                        this(new org.apache.eventmesh.state.inmemory.InMemoryEngineProvider());
                    }

                    public String scheme() {
                        return "mine";
                    }

                    public Set<Capability> capabilities() {
                        return wrapped.capabilities();
                    }

                    public Optional<String> sharedUnder(EngineConfig config) {
                        return wrapped.sharedUnder(config);
                    }

                    public Engine open(EngineConfig config) {
                        return wrapped.open(config);
                    }
                }

            %s
            }
            """;

    @TempDir
    Path classes;

    static List<String> documents() throws IOException {
        try (Stream<Path> files = Files.list(DOCUMENTS)) {
            return files.filter(file -> !code(file).isEmpty())
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(OF_OTHER_TESTS))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void there_is_code_in_the_documents_for_operators_and_authors() throws IOException {
        assertThat(documents()).contains("backend-guide.md", "etcd.md", "rocksdb.md", "two-backends.md");
    }

    @ParameterizedTest
    @MethodSource("documents")
    void what_a_document_shows_compiles(String document) {
        String name = "Of" + document.replaceAll("\\W", "_").toLowerCase(Locale.ROOT);
        String source = AROUND.formatted(name, body(code(DOCUMENTS.resolve(document))));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of(
                                "-d",
                                classes.toString(),
                                "-proc:none",
                                "-classpath",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(new Source(name, source)))
                .call();
        assertThat(compiled).as("%s: %s%n%s", document, said, source).isTrue();
    }

    /** Types as they are; anything else is what somebody does in a method. */
    private static String body(List<String> blocks) {
        StringBuilder body = new StringBuilder();
        for (String block : blocks) {
            body.append(
                    TYPE.matcher(block).find()
                            ? "static " + block + "\n"
                            : "void step" + body.length() + "() throws Exception {\n" + block + "}\n");
        }
        return body.toString();
    }

    private static List<String> code(Path document) {
        try {
            return CODE.matcher(Files.readString(document))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///documents/" + name + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
