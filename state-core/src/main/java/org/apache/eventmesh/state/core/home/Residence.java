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
package org.apache.eventmesh.state.core.home;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.proto.HomeRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Which shards are at home on this host, in a set of two backends: it was their last owner, and its state of them is ready.
 * Of those the local backend knows the newest; of all others the shared one knows what was published.
 */
public final class Residence {
    private Residence() {}

    /** Those of some partitions that are at home here, read now from both sides. */
    public static CompletionStage<Set<Partition>> of(Sides sides, Collection<Partition> partitions) {
        Map<Bytes, Partition> keys = new HashMap<>();
        partitions.forEach(partition -> keys.put(HomeKeys.home(partition), partition));
        return sides.shared().read(keys.keySet()).thenCompose(shared -> {
            List<Entry> ours = new ArrayList<>(shared);
            ours.removeIf(entry -> !home(entry).getHost().equals(sides.host()));
            return sides.local()
                    .read(ours.stream().map(Entry::key).toList())
                    .thenApply(local -> at(sides, ours, local, keys));
        });
    }

    private static Set<Partition> at(Sides sides, List<Entry> shared, List<Entry> local, Map<Bytes, Partition> keys) {
        Map<Bytes, Long> since = new HashMap<>();
        shared.forEach(entry -> since.put(entry.key(), home(entry).getEpoch()));
        Set<Partition> here = new HashSet<>();
        for (Entry entry : local) {
            HomeRecord state = home(entry);
            if (!state.getDiscarding()
                    && state.getIncarnation().equals(sides.shared().engine().incarnation())
                    && state.getEpoch() >= since.getOrDefault(entry.key(), Long.MAX_VALUE)) {
                here.add(keys.get(entry.key()));
            }
        }
        return here;
    }

    private static HomeRecord home(Entry entry) {
        return Records.SHARD_HOME.decode(entry).record();
    }
}
