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
package org.apache.eventmesh.state.core.subscription;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.read.Row;
import org.apache.eventmesh.state.core.read.Rows;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.value.Bytes;

/** One row for each topic, with a key behind all its registrations: the listing goes on at the next topic. */
final class TopicRows implements Rows<String> {
    @Override
    public CompletionStage<List<Row<String>>> of(List<Entry> scanned, Backend backend) {
        Map<Bytes, Row<String>> topics = new LinkedHashMap<>();
        for (Entry entry : scanned) {
            Bytes key = entry.key();
            Bytes behind = behindTopic(key);
            topics.putIfAbsent(
                    behind,
                    Row.of(
                            behind,
                            key,
                            key.size(),
                            () -> Optional.of(SubscriptionKey.read(key).topic())));
        }
        return CompletableFuture.completedStage(List.copyOf(topics.values()));
    }

    private static Bytes behindTopic(Bytes key) {
        try {
            return SubscriptionKey.ofTopic(SubscriptionKey.read(key).topic()).to();
        } catch (CorruptStateException e) {
            return key;
        }
    }
}
