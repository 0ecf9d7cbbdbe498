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
package org.apache.eventmesh.state.tck.engine;

import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.tck.kit.StoreTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What an engine must do by itself, below the stores. A backend author writes one class, with the fixture that
 * {@link org.apache.eventmesh.state.tck.StateStoreTck} takes as well:
 *
 * <pre>{@code
 * class MyEngineTckTest extends EngineTck {
 *     @Override
 *     protected StoreFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>Leases and watches are required of an engine that several processes may open. For one without
 * {@code MULTI_PROCESS} the same tests run on what the core adds to it.
 */
public abstract class EngineTck extends StoreTest
        implements CommitRules,
                RevisionRules,
                ReadRules,
                LimitRules,
                ConcurrencyRules,
                DurabilityRules,
                CheckpointRules,
                CloseRules,
                LeaseRules,
                WatchRules,
                SharingRules {
    private @Nullable EngineKit engines;

    /** For a decorator that is to be tested: what the rules see of an engine that was opened. */
    protected Engine decorated(Engine engine) {
        return engine;
    }

    @BeforeEach
    void makeEngineKit() {
        engines = new EngineKit(kit(), this::decorated);
    }

    @AfterEach
    void closeEngines() {
        if (engines != null) {
            engines.close();
        }
    }

    /** The engines of the test that runs. */
    @Override
    public EngineKit engines() {
        if (engines == null) {
            throw new IllegalStateException("there is a kit only while a test runs");
        }
        return engines;
    }
}
