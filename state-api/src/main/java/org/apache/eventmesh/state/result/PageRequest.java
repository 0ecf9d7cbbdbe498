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

import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;

/**
 * How many and from where.
 *
 * @param limit 1 to {@value #MAX_LIMIT}
 * @param position opaque printable text that a {@link Page} gave; good across restarts and instances. It is a place in
 *     the order, not a held snapshot
 */
public record PageRequest(int limit, Optional<String> position) {
    public static final int MAX_LIMIT = 10_000;

    public PageRequest {
        Check.given("position", position);
        Check.that(limit > 0 && limit <= MAX_LIMIT, "page limit is %d; it must be 1 to %d", limit, MAX_LIMIT);
    }

    public static PageRequest first(int limit) {
        return new PageRequest(limit, Optional.empty());
    }

    public static PageRequest from(String position, int limit) {
        return new PageRequest(limit, Optional.of(position));
    }
}
