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

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a backend author or a runtime engineer must know stands in the code they compile against: every public type is
 * described, and every method of a public interface that takes something or answers later. Accessors, factories and
 * components may rest on their type's words, which is why this is not doclint's {@code missing}.
 */
class DocumentedTest {
    private static final Path MODULES = Path.of("..", "..");

    @ParameterizedTest
    @ValueSource(strings = {"state-api", "state-core"})
    void everything_a_caller_or_a_backend_rests_on_is_described(String module) throws IOException {
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
        List<String> undescribed = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, null, null, files.getJavaFileObjectsFromPaths(publicSources(module)));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(docs, undescribed).scan(unit, null);
            }
        }
        assertThat(undescribed).isEmpty();
    }

    private static List<Path> publicSources(String module) throws IOException {
        Path root = MODULES.resolve(module).resolve("src/main/java/org/apache/eventmesh/state");
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.startsWith(root.resolve("internal")))
                    .filter(file -> !file.startsWith(root.resolve("core")))
                    .sorted()
                    .toList();
        }
    }

    private static final class Scanner extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final List<String> undescribed;

        Scanner(DocTrees docs, List<String> undescribed) {
            this.docs = docs;
            this.undescribed = undescribed;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (!isPublic(getCurrentPath(), type)) {
                return null;
            }
            check(getCurrentPath(), type.getSimpleName().toString());
            for (Tree member : type.getMembers()) {
                if (member instanceof MethodTree method && mustBeDescribed(type, method)) {
                    check(new TreePath(getCurrentPath(), member), type.getSimpleName() + "." + method.getName() + "()");
                }
            }
            return super.visitClass(type, null);
        }

        private void check(TreePath path, String name) {
            String comment = docs.getDocComment(path);
            if (comment == null || comment.isBlank()) {
                undescribed.add(name);
            }
        }

        private static boolean isPublic(TreePath path, ClassTree type) {
            return type.getModifiers().getFlags().contains(Modifier.PUBLIC)
                    || path.getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
        }

        private static boolean mustBeDescribed(ClassTree type, MethodTree method) {
            Set<Modifier> flags = method.getModifiers().getFlags();
            return type.getKind() == Tree.Kind.INTERFACE
                    && (!method.getParameters().isEmpty()
                            || method.getReturnType().toString().startsWith("CompletionStage"))
                    && !flags.contains(Modifier.PRIVATE)
                    && !flags.contains(Modifier.STATIC)
                    && method.getModifiers().getAnnotations().stream()
                            .noneMatch(annotation ->
                                    annotation.getAnnotationType().toString().equals("Override"));
        }
    }
}
