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

import java.nio.file.Path;
import java.util.Optional;

/**
 * How connections are secured. Files are PEM; they are read whenever a client is connected.
 *
 * @param ca who signs the servers; empty: whom the JVM trusts
 * @param identity what this client shows
 * @param authority the name in the servers' certificates; empty: the host of each
 */
public record Tls(Optional<Path> ca, Optional<Identity> identity, Optional<String> authority) {
    /** A certificate with its chain, and its key as PKCS #8. */
    public record Identity(Path certificate, Path key) {
        @Override
        public String toString() {
            return "Identity";
        }
    }
}
