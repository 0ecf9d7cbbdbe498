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

import java.util.List;
import org.apache.eventmesh.state.id.Partition;

/** A broker whose partitions are logs, read by offset and acknowledged by a watermark: Kafka. */
public interface OrderedBroker {
    /**
     * Reads on.
     *
     * @param from the next offset to read; a log that does not reach so far, or no longer, answers from where it can
     * @param most at least 1
     */
    Read read(Partition partition, long from, int most);

    /** The lowest offset that there is, or will be: where a recreated topic is read from. */
    long beginning(Partition partition);

    /** Everything before {@code watermark} is done. Idempotent. */
    void commit(Partition partition, long watermark);

    /**
     * What was read.
     *
     * @param generation this life of the topic: a recreated one has another
     * @param from where it begins, inclusive
     * @param to where it ends, exclusive: read on from there
     */
    record Read(String generation, long from, long to, List<BrokerMessage> messages) {
        public Read {
            messages = List.copyOf(messages);
        }
    }
}
