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
package org.apache.eventmesh.state.dispatcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A partition of a broker that wants every message back by its handle. The handle is kept with the message's fan-out, and
 * used when the last receiver has settled it; a message that the broker gives again brings a newer one.
 */
final class PopFeed implements Feed {
    private final Shard shard;
    private final Partition partition;
    private final PopBroker broker;
    private final Audience audience;
    private final DispatcherSettings settings;

    PopFeed(Shard shard, PopBroker broker, Audience audience, DispatcherSettings settings) {
        this.shard = shard;
        this.partition = shard.token().scope();
        this.broker = broker;
        this.audience = audience;
        this.settings = settings;
    }

    @Override
    public Stream<HandOut> read() {
        Set<Subscriber> targets = audience.of(partition.topic());
        if (targets.isEmpty()) {
            // a message for nobody would be complete at once: leave it with the broker
            return Stream.empty();
        }
        List<Incoming> messages = broker.pop(partition, settings.most(), settings.invisible()).stream()
                .map(popped -> popped.message()
                        .to(targets, partition.topic(), audience)
                        .brokerHandle(Bytes.utf8(popped.handle()), settings.invisible()))
                .toList();
        return messages.isEmpty()
                ? Stream.empty()
                : Await.result(shard.open(OpenBatch.unordered(messages, settings.hold())))
                        .handOuts();
    }

    /** Confirmed only after the broker has accepted: a crash in between acknowledges twice, never not at all. */
    @Override
    public void acknowledge() {
        List<FanOut> accepted = new ArrayList<>();
        for (FanOut complete : Await.result(shard.completed(settings.most()))) {
            if (broker.acknowledge(partition, complete.brokerHandle().toUtf8())) {
                accepted.add(complete);
            }
        }
        if (!accepted.isEmpty()) {
            Await.result(shard.confirm(accepted));
        }
    }
}
