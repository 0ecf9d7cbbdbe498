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

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.etcd.client.EtcdClient;

/** Counts the round trips that a client makes: each call of it that asks the servers for an answer. */
final class CountedCalls {
    private static final Set<String> NO_TRIPS = Set.of("close", "watch", "toString", "hashCode", "equals");

    private final AtomicLong trips = new AtomicLong();

    /** The client, with its calls counted here. */
    EtcdClient of(EtcdClient client) {
        InvocationHandler counted = (proxy, method, arguments) -> {
            if (!NO_TRIPS.contains(method.getName())) {
                trips.incrementAndGet();
            }
            try {
                return method.invoke(client, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (EtcdClient)
                Proxy.newProxyInstance(EtcdClient.class.getClassLoader(), new Class<?>[] {EtcdClient.class}, counted);
    }

    /** So far. */
    long trips() {
        return trips.get();
    }
}
