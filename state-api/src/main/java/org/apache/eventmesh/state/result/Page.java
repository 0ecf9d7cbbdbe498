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
package org.apache.eventmesh.state.result;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;

/**
 * Part of a listing. A record whose sort key does not change during the listing appears in it exactly once.
 *
 * @param items in the listing's order
 * @param unreadable records of this part that could not be decoded
 * @param next asks for the part behind this one; empty at the end
 */
public record Page<T>(List<T> items, List<Unreadable> unreadable, Optional<PageRequest> next) {
    public Page {
        Check.given("next", next);
        items = Check.elements("items", items);
        unreadable = Check.elements("unreadable", unreadable);
    }
}
