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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.engine.Capability;

/** The store sets of one test on one backend, and the time they live in. */
public final class StoreKit implements AutoCloseable {
    private final StoreFixture fixture;
    private final TestTime time = new TestTime();
    private final List<Instance> instances = new ArrayList<>();

    public StoreKit(StoreFixture fixture) {
        this.fixture = fixture;
    }

    public StoreFixture fixture() {
        return fixture;
    }

    public TestTime time() {
        return time;
    }

    public boolean has(Capability capability) {
        return fixture.provider().capabilities().contains(capability);
    }

    /** Opens a store set on the place of the test; the second is a peer of the first. */
    public Instance open(String name) {
        return open(name, settings -> settings);
    }

    public Instance open(String name, UnaryOperator<StoreSettingsBuilder> settings) {
        Events events = new Events();
        Instance instance = new Instance(
                name, StateStores.open(settings.apply(settings(events)).build()), events);
        instances.add(instance);
        return instance;
    }

    /** What the kit opens with. */
    public StoreSettingsBuilder settings(Events events) {
        StoreSettingsBuilder settings = StoreSettings.builder(fixture.uri())
                .clock(time.clock())
                .ticker(time.ticker())
                .listener(events);
        fixture.options().forEach(settings::option);
        return has(Capability.DURABLE) ? settings : settings.development();
    }

    /**
     * Lets time pass for everybody. It moves in steps that are short against the lease of a member, and after each of
     * them every instance that is alive and not paused has renewed: as it is when time really passes.
     */
    public void passTime(Duration length) {
        Duration step = Instance.LEASE.dividedBy(6);
        for (Duration left = length; !left.isZero(); ) {
            Duration now = left.compareTo(step) < 0 ? left : step;
            time.pass(now);
            fixture.passTime(now);
            left = left.minus(now);
        }
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        fixture.close();
    }
}
