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

import java.util.ArrayList;
import java.util.List;

/**
 * How the members of a cluster are started.
 *
 * @param scheme {@code http} or {@code https}, of the client's side
 * @param flags of the server beside those that every member has
 * @param clientFlags what the operator's tool needs to be let in
 */
public record EtcdOptions(String scheme, List<String> flags, List<String> clientFlags) {
    /** Nothing special. */
    public static final EtcdOptions PLAIN = new EtcdOptions("http", List.of(), List.of());

    public EtcdOptions {
        flags = List.copyOf(flags);
        clientFlags = List.copyOf(clientFlags);
    }

    /** With more flags of the server. */
    public EtcdOptions with(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new EtcdOptions(scheme, all, clientFlags);
    }
}
