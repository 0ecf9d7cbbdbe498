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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.EngineProvider;

/** Two backends as one fixture: places of hosts, each its own, and a place that all of them share. */
public final class TwoBackends implements StoreFixture {
    private final Supplier<? extends StoreFixture> places;
    private final StoreFixture shared;
    private final List<StoreFixture> hosts = new CopyOnWriteArrayList<>();

    /**
     * Closing this closes all places.
     *
     * @param places makes the place of a host
     */
    public TwoBackends(Supplier<? extends StoreFixture> places, StoreFixture shared) {
        this.places = places;
        this.shared = shared;
        hosts.add(places.get());
    }

    @Override
    public EngineProvider provider() {
        return hosts.get(0).provider();
    }

    @Override
    public String uri() {
        return hosts.get(0).uri();
    }

    @Override
    public Map<String, String> options() {
        return hosts.get(0).options();
    }

    @Override
    public Optional<StoreFixture> shared() {
        return Optional.of(shared);
    }

    @Override
    public synchronized StoreFixture host(int number) {
        while (hosts.size() <= number) {
            hosts.add(places.get());
        }
        return hosts.get(number);
    }

    @Override
    public Optional<Outage> outage() {
        return shared.outage();
    }

    @Override
    public Optional<ServerTime> serverTime() {
        return shared.serverTime();
    }

    @Override
    public List<Disturbance> disturbances() {
        return shared.disturbances();
    }

    @Override
    public void close() {
        try {
            hosts.forEach(StoreFixture::close);
        } finally {
            shared.close();
        }
    }
}
