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

import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** A subscriber in a partition, from either of the two orders in which they are listed. */
public record ProgressKey(Partition partition, Subscriber subscriber) {

    public Bytes bytes() {
        return KeyWriter.of(Table.PROGRESS)
                .partition(partition)
                .subscriber(subscriber)
                .key();
    }

    public Bytes bySubscriber() {
        return KeyWriter.of(Table.PROGRESS_BY_SUBSCRIBER)
                .subscriber(subscriber)
                .partition(partition)
                .key();
    }

    public static ProgressKey read(Bytes key) {
        return KeyReader.read(Table.PROGRESS, key, in -> new ProgressKey(in.partition(), in.subscriber()));
    }

    public static ProgressKey readBySubscriber(Bytes key) {
        return KeyReader.read(Table.PROGRESS_BY_SUBSCRIBER, key, in -> {
            Subscriber subscriber = in.subscriber();
            return new ProgressKey(in.partition(), subscriber);
        });
    }
}
