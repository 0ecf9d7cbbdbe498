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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What tests poll from a broker. */
final class Polls {
    static final Subscriber BILLING = Subscriber.group("billing");
    static final Subscriber AUDIT = Subscriber.group("audit");
    static final Receiver ALICE = new Receiver(new ClientId("alice"), 7, "node-a");
    static final Receiver BOB = new Receiver(new ClientId("bob"), 8, "node-b");
    static final Duration LEASE = Duration.ofSeconds(30);
    static final String GENERATION = "life-1";

    private Polls() {}

    static Incoming message(long offset) {
        return Incoming.of(offset, Bytes.utf8("payload " + offset), Attributes.of("offset", Long.toString(offset)));
    }

    /** The offsets from (inclusive) to (exclusive), each for billing, handed out to alice. */
    static OpenBatch forAlice(long from, long to) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            messages.add(message(offset).to(BILLING, ALICE));
        }
        return range(from, to, Set.of(BILLING), messages);
    }

    static OpenBatch range(long from, long to, Set<Subscriber> readers, List<Incoming> messages) {
        return OpenBatch.range(GENERATION, from, to, readers, messages, LEASE);
    }

    static OpenBatch range(long from, long to, Set<Subscriber> readers, Incoming... messages) {
        return range(from, to, readers, List.of(messages));
    }

    static OpenBatch unordered(Incoming... messages) {
        return OpenBatch.unordered(List.of(messages), LEASE);
    }

    static List<HandOut> handOuts(OpenReport report) {
        return report.handOuts().toList();
    }

    static OpenResult result(OpenReport report, int element) {
        return report.deliveries().get(element).orThrow();
    }

    static Delivery opened(OpenReport report, int element) {
        return ((OpenResult.Opened) result(report, element)).delivery();
    }

    static List<OpenResult> results(OpenReport report) {
        return report.deliveries().stream().map(Outcome::orThrow).toList();
    }
}
