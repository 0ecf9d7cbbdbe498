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
package org.apache.eventmesh.state.offset;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.internal.Check;

/**
 * Where to move a cursor, and what is expected of it now.
 *
 * @param expected the position as read; empty expects that the subscriber was never served
 * @param to the next offset to read
 * @param generation the life of the topic that {@code to} belongs to; empty keeps the one it has (a subscriber that
 *     was never served, or advanced only, takes the generation of its first range)
 */
public record Reset(OptionalLong expected, long to, Optional<String> generation) {
    public Reset {
        Check.given("expected", expected);
        Check.given("generation", generation);
        expected.ifPresent(position -> Check.notNegative("expected position", position));
        Check.notNegative("offset", to);
        generation.ifPresent(name -> Check.identifier("generation", name));
    }

    /** From the position as read. */
    public static Reset from(long expected, long to) {
        return new Reset(OptionalLong.of(expected), to, Optional.empty());
    }

    /** Enters a subscriber that was never served. */
    public static Reset neverServed(long to) {
        return new Reset(OptionalLong.empty(), to, Optional.empty());
    }

    /**
     * Into another life of the topic. What is open of the former life stays open; the cursor waits before its offset until
     * it is settled, and then the message that the topic has there now can be opened. Where nobody needs the former life
     * any more, {@code withdraw} the subscriber instead: its next range enters it anew.
     */
    public Reset generation(String name) {
        return new Reset(expected, to, Optional.of(name));
    }
}
