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
package org.apache.eventmesh.state.core.read;

import java.util.Optional;
import java.util.SortedMap;
import org.apache.eventmesh.state.value.Bytes;

/** Hears what happens to a {@link TableView}: in order, never concurrently, on the callback executor. */
public interface ViewListener<V> {
    /** Replace everything: the first snapshot, and whenever changes were missed or too many waited for this listener. */
    void resynchronised(SortedMap<Bytes, V> all);

    /** One record came, changed or went. */
    void changed(Bytes key, Optional<V> before, Optional<V> now);
}
