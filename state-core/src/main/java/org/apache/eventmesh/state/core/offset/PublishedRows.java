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
package org.apache.eventmesh.state.core.offset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.home.Residence;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.read.Row;
import org.apache.eventmesh.state.core.read.Rows;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Progress over two backends, listed by what is published: of a shard that is at home on this host as it is here, of any
 * other as it was published last.
 *
 * @param keyOf from a scanned key
 */
record PublishedRows(Sides sides, Function<Bytes, PublishedKey> keyOf) implements Rows<Progress> {
    @Override
    public CompletionStage<List<Row<Progress>>> of(List<Entry> scanned, Backend backend) {
        Set<Partition> partitions = new HashSet<>();
        Set<Bytes> published = new LinkedHashSet<>();
        for (Entry entry : scanned) {
            try {
                PublishedKey key = keyOf.apply(entry.key());
                partitions.add(key.partition());
                published.add(key.bytes());
            } catch (StateStoreException e) {
                // its row says so
            }
        }
        return Residence.of(sides, partitions).thenCompose(here -> {
            Set<Bytes> progress = new LinkedHashSet<>();
            for (Entry entry : scanned) {
                try {
                    PublishedKey key = keyOf.apply(entry.key());
                    if (here.contains(key.partition())) {
                        progress.add(local(key));
                    }
                } catch (StateStoreException e) {
                    // its row says so
                }
            }
            return sides.local()
                    .read(progress)
                    .thenCompose(at ->
                            backend.read(published).thenApply(there -> rows(scanned, here, byKey(at), byKey(there))));
        });
    }

    private List<Row<Progress>> rows(
            List<Entry> scanned, Set<Partition> here, Map<Bytes, Entry> local, Map<Bytes, Entry> published) {
        List<Row<Progress>> rows = new ArrayList<>();
        for (Entry entry : scanned) {
            rows.add(Row.of(
                    entry.key(), entry.key(), entry.key().size() + entry.value().size(), () -> {
                        PublishedKey key = keyOf.apply(entry.key());
                        return here.contains(key.partition())
                                ? Optional.ofNullable(local.get(local(key))).flatMap(found -> here(key, found))
                                : Optional.ofNullable(published.get(key.bytes()))
                                        .map(found -> there(key, found));
                    }));
        }
        return rows;
    }

    private static Optional<Progress> here(PublishedKey key, Entry entry) {
        ProgressRecord record = Records.PROGRESS.decode(entry).record();
        return record.hasPosition()
                ? Optional.of(new Progress(key.partition(), key.subscriber(), record.getPosition()))
                : Optional.empty();
    }

    private static Progress there(PublishedKey key, Entry entry) {
        return new Progress(
                key.partition(),
                key.subscriber(),
                Records.PUBLISHED.decode(entry).record().getPosition());
    }

    private static Bytes local(PublishedKey key) {
        return new ProgressKey(key.partition(), key.subscriber()).bytes();
    }

    private static Map<Bytes, Entry> byKey(List<Entry> entries) {
        Map<Bytes, Entry> byKey = new HashMap<>();
        entries.forEach(entry -> byKey.put(entry.key(), entry));
        return byKey;
    }
}
