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
package org.apache.eventmesh.state.core.key;

import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** The published progress of a subscriber in a partition, from either of the two orders in which it is listed. */
public record PublishedKey(Partition partition, Subscriber subscriber) {

    public Bytes bytes() {
        return KeyWriter.of(Table.PUBLISHED)
                .partition(partition)
                .subscriber(subscriber)
                .key();
    }

    public Bytes bySubscriber() {
        return KeyWriter.of(Table.PUBLISHED_BY_SUBSCRIBER)
                .subscriber(subscriber)
                .partition(partition)
                .key();
    }

    /** All of a partition. */
    public static KeyRange in(Partition partition) {
        return KeyWriter.of(Table.PUBLISHED).partition(partition).under();
    }

    public static PublishedKey read(Bytes key) {
        return KeyReader.read(Table.PUBLISHED, key, in -> new PublishedKey(in.partition(), in.subscriber()));
    }

    public static PublishedKey readBySubscriber(Bytes key) {
        return KeyReader.read(Table.PUBLISHED_BY_SUBSCRIBER, key, in -> {
            Subscriber subscriber = in.subscriber();
            return new PublishedKey(in.partition(), subscriber);
        });
    }
}
