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
package org.apache.eventmesh.state.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;

/**
 * One poll of a broker.
 *
 * @param messages of a range: ascending by offset; no offset twice
 * @param lease how long the first hand-outs last
 */
public record OpenBatch(Source source, List<Incoming> messages, Duration lease) {
    public OpenBatch {
        Check.given("source", source);
        Check.given("lease", lease);
        messages = Check.elements("messages", messages);
        Check.positive("lease", lease);
        if (source instanceof Source.Range range) {
            checkRange(range, messages);
        } else {
            Set<Long> seen = new HashSet<>();
            messages.forEach(m -> Check.that(seen.add(m.offset()), "offset %d appears twice", m.offset()));
        }
    }

    /** A poll of an ordered log; see {@link Source.Range}. */
    public static OpenBatch range(
            String generation,
            long from,
            long to,
            Collection<? extends Subscriber> readers,
            List<Incoming> messages,
            Duration lease) {
        return new OpenBatch(new Source.Range(generation, from, to, Set.copyOf(readers)), messages, lease);
    }

    /** A poll of an unordered source. */
    public static OpenBatch unordered(List<Incoming> messages, Duration lease) {
        return new OpenBatch(new Source.Unordered(), messages, lease);
    }

    private static void checkRange(Source.Range range, List<Incoming> messages) {
        long next = range.from();
        for (Incoming m : messages) {
            long offset = m.offset();
            Check.that(
                    next <= offset && offset < range.to(),
                    "offset %d is not within %d to %d, ascending",
                    offset,
                    range.from(),
                    range.to());
            Check.that(
                    range.readers().containsAll(m.targets().keySet()),
                    "offset %d has a target that is not a reader: name every reader of the range",
                    offset);
            next = offset + 1;
        }
    }
}
