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
package org.apache.eventmesh.state.tck.kit;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.eventmesh.state.engine.Capability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Gives every test a kit of its own on a fresh place. */
@Timeout(60)
public abstract class StoreTest {
    private @Nullable StoreKit kit;

    /** A new, empty place; called once for every test. */
    protected abstract StoreFixture fixture();

    @BeforeEach
    void openKit(TestInfo test) {
        StoreKit opened = new StoreKit(fixture());
        kit = opened;
        test.getTestMethod().ifPresent(method -> {
            checkCapabilities(opened, method);
            checkBackends(opened, method);
        });
    }

    private static void checkCapabilities(StoreKit kit, Method method) {
        String scheme = kit.fixture().provider().scheme();
        Needs needs = method.getAnnotation(Needs.class);
        if (needs != null) {
            for (Capability capability : needs.value()) {
                Assumptions.assumeTrue(kit.has(capability), () -> scheme + " does not declare " + capability);
            }
        }
        Lacks lacks = method.getAnnotation(Lacks.class);
        if (lacks != null) {
            Assumptions.assumeTrue(
                    Arrays.stream(lacks.value()).noneMatch(kit::has),
                    () -> scheme + " declares " + Arrays.toString(lacks.value()));
        }
    }

    private static void checkBackends(StoreKit kit, Method method) {
        Assumptions.assumeTrue(
                !kit.two() || !method.isAnnotationPresent(OneBackend.class), "it is about a set over one backend");
        Assumptions.assumeTrue(
                kit.two() || !method.isAnnotationPresent(AcrossBackends.class), "it is about a set over two backends");
    }

    @AfterEach
    void closeKit() {
        if (kit != null) {
            kit.close();
        }
    }

    /** The kit of the test that runs. */
    public StoreKit kit() {
        if (kit == null) {
            throw new IllegalStateException("there is a kit only while a test runs");
        }
        return kit;
    }
}
