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
package org.apache.eventmesh.state.etcd.container;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.tck.kit.StoreFixture;

/** A prefix of its own in the server of an image. */
final class ContainerFixture implements StoreFixture {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final EtcdContainer server;
    private final String prefix = "kit/" + NUMBER.incrementAndGet();

    ContainerFixture(String image) {
        this.server = EtcdContainer.shared(image);
    }

    @Override
    public EngineProvider provider() {
        return ServiceLoader.load(EngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.scheme().equals("etcd"))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String uri() {
        return "etcd://" + server.endpoint() + "/" + prefix;
    }

    @Override
    public Optional<ServerTime> serverTime() {
        return Optional.of(server.gateway());
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void cut() {
                server.proxy().cut();
            }

            @Override
            public void heal() {
                server.proxy().heal();
            }
        });
    }

    @Override
    public void close() {
        server.proxy().heal();
    }
}
