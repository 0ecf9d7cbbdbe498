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
package org.apache.eventmesh.state.core.set;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.observe.StoreListener;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

class HealthReportTest {
    @Test
    void required_X03_an_error_while_looking_does_not_keep_a_backend_from_being_seen_back() {
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger back = new AtomicInteger();
        Engine engine = (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("health")) {
                        return health(looks.incrementAndGet());
                    }
                    // the set of what is watched asks only whether two engines are one
                    throw new UnsupportedOperationException(method.getName());
                });
        Callbacks callbacks = new Callbacks(Runnable::run, StoreListener.NONE);

        try (HealthReport report = new HealthReport(engine, engine, callbacks, back::incrementAndGet, Map.of())) {
            await().until(() -> back.get() == 1);
        }
    }

    private static EngineHealth health(int look) {
        if (look == 1) {
            throw new OutOfMemoryError("on purpose");
        }
        return new EngineHealth(look > 2, "proxy", look > 2 ? "" : "away, on purpose");
    }
}
