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
package org.apache.eventmesh.state.inmemory.mutant;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * What some tests of the kit said.
 *
 * @param green names of the tests that passed
 * @param red those that did not, and why
 */
record KitRun(Collection<String> green, Map<String, Throwable> red) {
    private static final Pattern NUMBERED = Pattern.compile("required((?:_[A-Z]\\d\\d)+)_.*");

    /** Runs tests of a class by their names. */
    static KitRun of(Class<?> kit, Collection<String> tests) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream()
                        .map(test -> DiscoverySelectors.selectMethod(kit, method(kit, test)))
                        .toList())
                .build();
        Seen seen = new Seen();
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(kit.getClassLoader());
        try {
            LauncherFactory.create().execute(request, seen);
        } finally {
            current.setContextClassLoader(before);
        }
        return new KitRun(new TreeSet<>(seen.green), new TreeMap<>(seen.red));
    }

    /** Both. */
    KitRun and(KitRun other) {
        Collection<String> bothGreen = new TreeSet<>(green);
        bothGreen.addAll(other.green);
        Map<String, Throwable> bothRed = new TreeMap<>(red);
        bothRed.putAll(other.red);
        return new KitRun(bothGreen, bothRed);
    }

    /** Tests of the kit that have one of these numbers in their names. */
    static List<String> tests(Class<?> kit, Collection<String> rules) {
        return Stream.of(kit.getMethods())
                .map(Method::getName)
                .filter(name -> rules(name).stream().anyMatch(rules::contains))
                .sorted()
                .toList();
    }

    /** The rules that a test proves, by its name. */
    static List<String> rules(String test) {
        Matcher matcher = NUMBERED.matcher(test);
        return matcher.matches()
                ? Stream.of(matcher.group(1).split("_"))
                        .filter(number -> !number.isEmpty())
                        .toList()
                : List.of();
    }

    private static Method method(Class<?> kit, String test) {
        return Stream.of(kit.getMethods())
                .filter(method -> method.getName().equals(test))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the kit has no test " + test));
    }

    private static final class Seen implements TestExecutionListener {
        private final Collection<String> green = new ConcurrentSkipListSet<>();
        private final Map<String, Throwable> red = new ConcurrentSkipListMap<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String name = test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse(test.getDisplayName());
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                red.put(name, result.getThrowable().orElseGet(() -> new AssertionError("failed without a reason")));
            } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                green.add(name);
            }
        }
    }
}
