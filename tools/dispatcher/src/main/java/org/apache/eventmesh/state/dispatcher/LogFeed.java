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

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;

/**
 * A partition of an ordered broker. The place to read from is the lowest cursor of its readers, never the broker's own
 * commit: what was opened before a crash and is not settled is here, and what was not opened is read again.
 */
final class LogFeed implements Feed {
    private final StateStores stores;
    private final Shard shard;
    private final Partition partition;
    private final OrderedBroker broker;
    private final Audience audience;
    private final DispatcherSettings settings;
    private final Set<Subscriber> readers = new HashSet<>();
    private long committed = -1;

    LogFeed(StateStores stores, Shard shard, OrderedBroker broker, Audience audience, DispatcherSettings settings) {
        this.stores = stores;
        this.shard = shard;
        this.partition = shard.token().scope();
        this.broker = broker;
        this.audience = audience;
        this.settings = settings;
        // Whoever was served before is a reader, connected or not: its messages wait for it.
        served().forEach(readers::add);
    }

    private Stream<Subscriber> served() {
        Stream<Subscriber> served = Stream.empty();
        PageRequest request = PageRequest.first(PageRequest.MAX_LIMIT);
        while (true) {
            Page<Progress> page = Await.result(stores.offsets().list(ProgressFilter.topic(partition.topic()), request));
            served = Stream.concat(
                    served,
                    page.items().stream()
                            .filter(progress -> progress.partition().equals(partition))
                            .map(Progress::subscriber));
            if (page.next().isEmpty()) {
                return served;
            }
            request = page.next().get();
        }
    }

    @Override
    public Stream<HandOut> read() {
        readers.addAll(audience.of(partition.topic()));
        if (readers.isEmpty()) {
            return Stream.empty();
        }
        long asked = shard.view().readNext().orElse(0);
        OrderedBroker.Read read = broker.read(partition, asked, settings.most());
        List<Incoming> messages = read.messages().stream()
                .map(message -> message.to(readers, partition.topic(), audience))
                .toList();
        OpenReport report = Await.result(shard.open(
                OpenBatch.range(read.generation(), read.from(), read.to(), readers, messages, settings.hold())));
        report.readers().forEach((reader, outcome) -> settle(reader, outcome, read, asked));
        return report.handOuts();
    }

    /** Where a reader stands after a read; whoever cannot go on from its cursor is moved to where there is something. */
    private void settle(Subscriber reader, Outcome<ReaderResult> outcome, OrderedBroker.Read read, long asked) {
        ReaderResult result = outcome.orThrow();
        if (result instanceof ReaderResult.Gone) {
            readers.remove(reader);
        } else if (result instanceof OpenResult.OutOfOrder gap) {
            if (gap.cursor() >= asked && gap.cursor() < read.from()) {
                // what lies between is lost: the broker kept it for too short a time
                move(reader, read.from(), read.generation());
            }
            // else it was reset meanwhile, and the next read begins there
        } else if (result instanceof OpenResult.OtherGeneration) {
            // the topic was recreated, and its offsets began again
            move(reader, broker.beginning(partition), read.generation());
            committed = -1;
        }
    }

    private void move(Subscriber reader, long to, String generation) {
        OptionalLong position = Await.result(stores.offsets().position(partition, reader));
        Reset reset = new Reset(position, to, Optional.of(generation));
        Await.result(stores.offsets().reset(shard, reader, reset));
    }

    @Override
    public void acknowledge() {
        long watermark = shard.view().watermark().orElse(committed);
        if (watermark > committed) {
            broker.commit(partition, watermark);
            committed = watermark;
        }
    }
}
