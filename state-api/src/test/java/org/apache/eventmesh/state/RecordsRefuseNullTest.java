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
package org.apache.eventmesh.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** G05: no public record of the API takes a null for what is not optional; found by reflection, so for new ones too. */
class RecordsRefuseNullTest {
    private static final String INTERNAL = ".internal.";

    @TestFactory
    Stream<DynamicTest> required_G05_every_component_refuses_null_by_its_name() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (Class<?> type : records()) {
            RecordComponent[] components = type.getRecordComponents();
            for (int i = 0; i < components.length; i++) {
                if (!components[i].getType().isPrimitive() && !nullable(components[i])) {
                    int at = i;
                    tests.add(DynamicTest.dynamicTest(
                            type.getName() + "." + components[i].getName(), () -> refuses(type, components, at)));
                }
            }
        }
        return tests.stream();
    }

    /** Or the rule above would hold of nothing. */
    @Test
    void the_records_are_found() throws Exception {
        assertThat(records()).hasSizeGreaterThan(80).contains(StoreSettings.class);
    }

    @Test
    void required_G05_the_builder_of_settings_refuses_null_at_the_setter() {
        StoreSettingsBuilder builder = StoreSettings.builder("file:///x");
        List<java.lang.reflect.Method> setters = Arrays.stream(StoreSettingsBuilder.class.getMethods())
                .filter(method -> method.getReturnType() == StoreSettingsBuilder.class)
                .filter(method -> method.getParameterCount() > 0)
                .toList();

        assertThat(setters).hasSizeGreaterThan(9);
        assertThat(setters)
                .allSatisfy(setter -> assertThatThrownBy(() ->
                                call(() -> setter.invoke(builder, new @Nullable Object[setter.getParameterCount()])))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("must not be null"));
        assertThatThrownBy(() -> StoreSettings.builder(missing())).hasMessageContaining("uri) must not be null");
    }

    private static void refuses(Class<?> type, RecordComponent[] components, int at) throws Exception {
        Object[] arguments = Arrays.stream(components)
                .map(component -> Samples.of(component.getGenericType()))
                .toArray();
        Constructor<?> constructor = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        // with all its components it can be made, so what is refused is the null
        call(() -> constructor.newInstance(arguments));
        @Nullable Object[] without = arguments.clone();
        without[at] = null;

        assertThatThrownBy(() -> call(() -> constructor.newInstance(without)))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(plain(String.valueOf(refusal.getMessage())))
                        .containsAnyOf(
                                plain(components[at].getName()),
                                plain(type.getSimpleName().replaceFirst("Id$", ""))));
    }

    private static String plain(String text) {
        return text.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private static boolean nullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // what a caller without such checks gives
    private static String missing() {
        return null;
    }

    private static void call(Call call) throws Exception {
        try {
            call.run();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** All public ones of the packages that are exported to everybody. */
    static List<Class<?>> records() throws Exception {
        Path root = root();
        try (Stream<Path> files = Files.walk(root)) {
            List<Class<?>> found = new ArrayList<>();
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString();
                if (name.endsWith("-info.class")) {
                    continue;
                }
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length())
                        .replace(file.getFileSystem().getSeparator(), "."));
                if (type.isRecord() && Modifier.isPublic(type.getModifiers()) && !name.contains(INTERNAL)) {
                    found.add(type);
                }
            }
            return found;
        }
    }

    private static Path root() throws URISyntaxException {
        URL place = StoreSettings.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of(place.toURI());
    }

    /** Reflection. */
    private interface Call {
        void run() throws Exception;
    }
}
