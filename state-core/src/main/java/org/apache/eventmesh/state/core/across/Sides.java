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
package org.apache.eventmesh.state.core.across;

import org.apache.eventmesh.state.core.commit.Backend;

/**
 * The backends of a store set.
 *
 * @param local holds offsets and deliveries; in a set of two it is private to this host
 * @param shared holds all else; the same in a set over one backend
 */
public record Sides(Backend local, Backend shared) {
    /** A set over one backend. */
    public static Sides one(Backend backend) {
        return new Sides(backend, backend);
    }

    /** Whether what spans both takes steps; otherwise it is one commit. */
    public boolean two() {
        return local != shared;
    }

    /** Names this host: its local data set is private to it, and another data set is another host. */
    public String host() {
        return local.engine().incarnation();
    }
}
