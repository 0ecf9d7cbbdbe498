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
package org.apache.eventmesh.state.etcd.client;

import java.util.List;
import java.util.Optional;

/**
 * What a client is connected with.
 *
 * @param name of the cluster in messages, without secrets
 * @param endpoints of the members, at least one
 * @param maxAnswerBytes the largest answer that is taken
 */
public record ClientSettings(
        String name,
        List<Endpoint> endpoints,
        Optional<Credentials> credentials,
        Optional<Tls> tls,
        int maxAnswerBytes) {
    public ClientSettings {
        endpoints = List.copyOf(endpoints);
    }
}
