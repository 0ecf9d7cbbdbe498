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
package org.apache.eventmesh.state.etcd.server;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.etcd.EtcdEngineProvider;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.apache.eventmesh.state.tck.kit.StoreFixture;

/** A prefix of its own in a cluster that the tests share. */
public final class EtcdFixture implements StoreFixture {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final EtcdCluster cluster;
    private final String prefix = "kit/" + NUMBER.incrementAndGet();

    public EtcdFixture(EtcdCluster cluster) {
        this.cluster = cluster;
    }

    /** A place in the shared cluster of this size. */
    public static EtcdFixture on(int members) {
        return new EtcdFixture(EtcdCluster.shared(members));
    }

    public EtcdCluster cluster() {
        return cluster;
    }

    @Override
    public EngineProvider provider() {
        return new EtcdEngineProvider();
    }

    @Override
    public String uri() {
        return cluster.uri(prefix);
    }

    @Override
    public Optional<ServerTime> serverTime() {
        return Optional.of(new EtcdLeaseTime(cluster));
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void cut() {
                cluster.proxies(TcpProxy::cut);
            }

            @Override
            public void heal() {
                cluster.proxies(TcpProxy::heal);
            }
        });
    }

    @Override
    public List<Disturbance> disturbances() {
        return EtcdDisturbance.of(cluster);
    }

    @Override
    public void close() {
        cluster.proxies(TcpProxy::heal);
    }
}
