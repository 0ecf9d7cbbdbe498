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
package org.apache.eventmesh.state.engine;

import java.util.Optional;
import java.util.Set;

/**
 * Opens engines of one scheme. Found by {@link java.util.ServiceLoader}: name the class in
 * {@code META-INF/services/org.apache.eventmesh.state.engine.EngineProvider} and in the module's {@code provides}.
 */
public interface EngineProvider {
    /** The part of the address before the first colon, for example {@code rocksdb}. */
    String scheme();

    Set<Capability> capabilities();

    /**
     * The name under which engines of this process are shared: a second opening that gives the same name gets the
     * engine that is open, and the last to close closes it. Required without {@link Capability#MULTI_PROCESS}: the name
     * must be the same for every way to write the same place (real paths). Empty: each opening is an engine of its own.
     *
     * @throws IllegalArgumentException when the address is malformed
     */
    Optional<String> sharedUnder(EngineConfig config);

    /**
     * Opens; blocks until the backend has answered, at most for the configured deadline.
     *
     * @throws IllegalArgumentException when the address or an option is malformed or unknown
     * @throws org.apache.eventmesh.state.failure.StateStoreException when the backend cannot be opened: what was asked,
     *     what happened, what to do
     */
    Engine open(EngineConfig config);
}
