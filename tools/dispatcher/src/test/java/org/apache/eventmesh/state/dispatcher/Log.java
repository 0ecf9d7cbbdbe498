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
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** An ordered broker with one partition. */
final class Log implements OrderedBroker {
    private final List<BrokerMessage> messages = new ArrayList<>();
    private final List<Long> commits = new ArrayList<>();
    private String generation = "first";

    synchronized void publish(int count) {
        for (int n = 0; n < count; n++) {
            long offset = messages.size();
            messages.add(new BrokerMessage(offset, Bytes.utf8(generation + " " + offset), Attributes.NONE));
        }
    }

    /** The topic is deleted and made anew: offsets begin at 0 again. */
    synchronized void recreate(String newGeneration) {
        generation = newGeneration;
        messages.clear();
        commits.clear();
    }

    @Override
    public synchronized Read read(Partition partition, long from, int most) {
        long begin = Math.min(from, messages.size());
        long end = Math.min(begin + most, messages.size());
        return new Read(generation, begin, end, messages.subList((int) begin, (int) end));
    }

    @Override
    public long beginning(Partition partition) {
        return 0;
    }

    @Override
    public synchronized void commit(Partition partition, long watermark) {
        commits.add(watermark);
    }

    /** What this life of the topic was told, in order. */
    synchronized List<Long> commits() {
        return List.copyOf(commits);
    }

    /** Everything before it is done, as the broker sees it. */
    long committed() {
        List<Long> told = commits();
        return told.isEmpty() ? 0 : told.get(told.size() - 1);
    }
}
