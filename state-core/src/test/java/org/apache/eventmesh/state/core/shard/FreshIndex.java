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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;

/** An index as it would be loaded now, and all that an index says, in words that can be compared. */
public final class FreshIndex {
    private FreshIndex() {}

    /** Reads without claiming or fencing; nobody may write meanwhile. */
    public static String words(Backend backend, Token<Partition> token) {
        return words(Await.result(new ShardLoad(backend, token).read()));
    }

    /** Everything that the index says about committed facts. */
    public static String words(ShardIndex index) {
        List<String> lines = new ArrayList<>();
        index.all().stream()
                .sorted(Comparator.comparing(OpenDelivery::number))
                .forEach(d -> lines.add("open " + d.key() + " " + (d.readable() ? d.record() : d.damage()) + " "
                        + d.receiver() + " due " + d.dueAt() + " of "
                        + index.references(d.key().message()) + " at "
                        + index.openAt(d.offset())));
        lines.add("due " + numbers(index.due()));
        index.held().entrySet().stream()
                .sorted(Comparator.comparing(held -> held.getKey().toString()))
                .forEach(held -> lines.add(
                        "held " + held.getKey() + " " + held.getValue().keySet()));
        index.readers().stream()
                .sorted(Comparator.comparing(reader -> reader.subscriber().toString()))
                .forEach(r -> lines.add("reader " + r.subscriber() + " "
                        + r.place().map(p -> p.entry() + " " + p.generation() + " " + p.cursor()) + " at "
                        + r.position() + " written " + r.written() + " holds " + r.held() + " ordered "
                        + r.orderedOpen() + " open " + r.open().keySet()));
        index.fanOuts().entrySet().stream()
                .sorted(Comparator.comparing(fanOut -> fanOut.getKey()))
                .forEach(f ->
                        lines.add("fan-out " + f.getKey() + " " + f.getValue().record() + " "
                                + f.getValue().notOpened() + " complete " + index.complete(f.getKey())));
        lines.add("completed " + index.completed(Long.MAX_VALUE, Integer.MAX_VALUE));
        lines.add("watermark " + index.watermark() + " read next " + index.readNext() + " size " + index.size());
        lines.add("unreadable " + index.unreadable().keySet());
        return String.join("\n", lines);
    }

    private static String numbers(Iterable<OpenDelivery> deliveries) {
        List<Long> numbers = new ArrayList<>();
        deliveries.forEach(delivery -> numbers.add(delivery.number()));
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
}
