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
package org.apache.eventmesh.state.etcd;

import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.etcd.jetcd.JetcdClient;

/**
 * State in an etcd cluster, for many processes at once: {@code etcd://host1:2379,host2:2379/prefix}. Without a port it is
 * 2379, without a prefix {@code /eventmesh/state}. Every key begins with the prefix, so that a user can be limited to it.
 *
 * <p>Options:
 *
 * <ul>
 *   <li>{@code etcd.user}, {@code etcd.password}: the login, where the servers have users enabled.
 *   <li>{@code etcd.tls} ({@code false}): whether connections are secured.
 *   <li>{@code etcd.caFile}: PEM file of who signs the servers' certificates; by default whom the JVM trusts.
 *   <li>{@code etcd.certFile}, {@code etcd.keyFile}: PEM files of this client's certificate, with its chain, and of its
 *       key (PKCS #8), where the servers ask for one.
 *   <li>{@code etcd.authority}: the name in the servers' certificates, where it is not their host.
 *   <li>{@code etcd.allowOldServer} ({@code false}): take servers older than 3.5.16, which may lose events of watches.
 *   <li>{@code etcd.commitSlots} (8): how many transactions may be under way at once, 1 to 64.
 *   <li>{@code etcd.maxTxnOps} (128), {@code etcd.maxRequestBytes} (1572864): the limits of the servers, where they are
 *       not etcd's own.
 * </ul>
 */
public final class EtcdEngineProvider implements EngineProvider {
    /** For the service loader. */
    public EtcdEngineProvider() {}

    @Override
    public String scheme() {
        return EtcdAddress.SCHEME;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.DURABLE, Capability.MULTI_PROCESS, Capability.LEASES, Capability.WATCH_HISTORY);
    }

    /** Empty: each opening has connections, commit slots and leases of its own. */
    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        EtcdAddress.parse(config.uri());
        return Optional.empty();
    }

    @Override
    public EtcdEngine open(EngineConfig config) {
        EtcdSettings settings = EtcdSettings.of(config.options());
        return EtcdOpening.open(config, settings, EtcdAddress.parse(config.uri()), JetcdClient::connect);
    }
}
