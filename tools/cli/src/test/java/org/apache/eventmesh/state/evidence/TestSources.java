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
package org.apache.eventmesh.state.evidence;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The tests of the repository: those of the kit by reflection, where a class of a module runs the kit, and all others by
 * their names in the sources.
 */
final class TestSources {
    private static final Pattern RUNS_KIT = Pattern.compile("class \\w+ extends (\\w+Tck)\\b");
    private static final Pattern METHOD = Pattern.compile("\\bvoid ((?:required|scenario|fault)_\\w+)\\s*\\(");

    /** How a class says that it runs the kit over two backends. */
    private static final String TWO_BACKENDS = "new TwoBackends(";

    /** Of the engine that is written as a test of the kit, which no module provides. */
    private static final Set<Capability> THIRD = Set.of(Capability.DURABLE);

    private final Engines engines = new Engines();
    private final Map<String, Set<Place>> places = new TreeMap<>();

    static Collection<ProvingTest> under(Path repository) throws IOException {
        TestSources sources = new TestSources();
        for (Path module : modules(repository)) {
            sources.read(module.getFileName().toString(), types(module.resolve("src/test/java")));
        }
        return sources.places.entrySet().stream()
                .map(test -> proving(test.getKey(), test.getValue()))
                .toList();
    }

    private static List<TestType> types(Path tests) throws IOException {
        List<TestType> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(tests)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                types.add(TestType.of(Files.readString(file)));
            }
        }
        return types;
    }

    private static ProvingTest proving(String name, Set<Place> places) {
        return new ProvingTest(
                name,
                places.stream()
                        .filter(place -> place.command().isEmpty())
                        .map(Place::name)
                        .collect(Collectors.toCollection(TreeSet::new)),
                places.stream().filter(place -> place.command().isPresent()).collect(Collectors.toUnmodifiableSet()));
    }

    /** Those that have tests. */
    static List<Path> modules(Path repository) throws IOException {
        try (Stream<Path> top = Files.list(repository);
                Stream<Path> tools = Files.list(repository.resolve("tools"))) {
            return Stream.concat(top, tools)
                    .filter(module -> Files.isDirectory(module.resolve("src/test/java")))
                    .sorted()
                    .toList();
        }
    }

    private void read(String module, List<TestType> types) {
        String scheme = engines.provider(module).map(EngineProvider::scheme).orElse(module);
        Set<TestType> run = new HashSet<>();
        types.stream().filter(TestType::concrete).forEach(type -> {
            Place place = Place.of(type.source(), scheme);
            runsOfKit(module, type.source(), place);
            for (TestType inherited : withParents(type, types)) {
                run.add(inherited);
                methods(inherited).forEach(test -> add(test, place));
            }
        });
        types.stream()
                .filter(type -> !run.contains(type) && !methods(type).isEmpty())
                .findFirst()
                .ifPresent(type -> {
                    throw new IllegalStateException("no class of " + module + " runs the tests of " + type.name());
                });
    }

    private void runsOfKit(String module, String source, Place place) {
        Matcher runs = RUNS_KIT.matcher(source);
        while (runs.find()) {
            Set<Capability> capabilities =
                    engines.capabilities(place.name(), module).orElse(THIRD);
            boolean two = source.contains(TWO_BACKENDS);
            kitTests(kit(source, runs.group(1)), capabilities, two).forEach(test -> add(test, place));
        }
    }

    /** Of the same module; what a class inherits from the kit is found by reflection. */
    private static List<TestType> withParents(TestType type, List<TestType> types) {
        List<TestType> all = new ArrayList<>(List.of(type));
        for (int n = 0; n < all.size(); n++) {
            all.get(n).parents().stream()
                    .flatMap(name ->
                            types.stream().filter(parent -> parent.name().equals(name)))
                    .filter(parent -> !all.contains(parent))
                    .toList()
                    .forEach(all::add);
        }
        return all;
    }

    private static List<String> methods(TestType type) {
        return METHOD.matcher(type.source())
                .results()
                .map(method -> method.group(1))
                .toList();
    }

    private void add(String test, Place place) {
        places.computeIfAbsent(test, name -> new HashSet<>()).add(place);
    }

    private static Class<?> kit(String source, String name) {
        Matcher imported = Pattern.compile("import ([\\w.]+\\." + name + ");").matcher(source);
        if (!imported.find()) {
            throw new IllegalStateException("a test extends " + name + " and does not import it");
        }
        try {
            return Class.forName(imported.group(1));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> kitTests(Class<?> kit, Set<Capability> capabilities, boolean two) {
        return Stream.of(kit.getMethods())
                .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                .filter(method -> runs(method, capabilities))
                .filter(method -> !method.isAnnotationPresent(two ? OneBackend.class : AcrossBackends.class))
                .map(Method::getName)
                .distinct()
                .toList();
    }

    private static boolean runs(Method test, Set<Capability> capabilities) {
        Needs needs = test.getAnnotation(Needs.class);
        Lacks lacks = test.getAnnotation(Lacks.class);
        return (needs == null || capabilities.containsAll(Set.of(needs.value())))
                && (lacks == null || Stream.of(lacks.value()).noneMatch(capabilities::contains));
    }
}
