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

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.result.Outcome;

/**
 * What became of a batch.
 *
 * @param deliveries one for each message and target, in order of messages, then targets
 * @param readers each reader's cursor afterwards; empty for an unordered source
 * @param readNext the lowest of these cursors: read the broker from there; empty for an unordered source and when no
 *     reader is at a place
 */
public record OpenReport(
        List<Outcome<OpenResult>> deliveries, Map<Subscriber, Outcome<ReaderResult>> readers, OptionalLong readNext) {
    public OpenReport {
        Check.given("readNext", readNext);
        deliveries = Check.elements("deliveries", deliveries);
        readers = Check.entries("readers", readers);
    }

    /** What to push now. */
    public Stream<HandOut> handOuts() {
        return deliveries.stream()
                .flatMap(outcome -> outcome instanceof Outcome.Done<OpenResult> done
                                && done.result() instanceof OpenResult.Opened opened
                        ? opened.handOut().stream()
                        : Stream.empty());
    }
}
