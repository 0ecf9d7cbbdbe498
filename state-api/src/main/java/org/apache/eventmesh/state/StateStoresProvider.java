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
package org.apache.eventmesh.state;

import java.util.List;
import java.util.ServiceLoader;

/** Opens store sets; found by {@link ServiceLoader}, implemented once, by the core. Not for callers. */
public interface StateStoresProvider {
    /** As {@link StateStores#open(StoreSettings)}. */
    StateStores open(StoreSettings settings);

    /** The one on the class path. */
    static StateStoresProvider installed(String uri) {
        List<StateStoresProvider> found =
                ServiceLoader.load(StateStoresProvider.class, StateStoresProvider.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        if (found.size() != 1) {
            throw new IllegalStateException(
                    "Opening " + uri + ": found " + found.size()
                            + " implementations of StateStoresProvider " + found
                            + "; put exactly one eventmesh-state-core and a backend such as eventmesh-state-rocksdb on the class path");
        }
        return found.get(0);
    }
}
