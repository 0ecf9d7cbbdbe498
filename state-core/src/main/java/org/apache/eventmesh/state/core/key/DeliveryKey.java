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

/**
 * All of a delivery that never changes.
 *
 * @param number unique within the partition for ever, ascending
 * @param offset of the broker's message; 0 for a task
 * @param message number of the MESSAGE record that holds its payload
 */
public record DeliveryKey(
        Partition partition, long number, DeliveryKind kind, long offset, long message, Subscriber subscriber) {

    public Bytes bytes() {
        return KeyWriter.of(Table.DELIVERY)
                .partition(partition)
                .number(number)
                .kind(kind.number())
                .number(offset)
                .number(message)
                .subscriber(subscriber)
                .key();
    }

    /**
     * Reads it back.
     *
     * @throws org.apache.eventmesh.state.failure.CorruptStateException when it is not a key of a delivery
     */
    public static DeliveryKey read(Bytes key) {
        return KeyReader.read(
                Table.DELIVERY,
                key,
                in -> new DeliveryKey(
                        in.partition(),
                        in.number(),
                        DeliveryKind.of(in.kind()),
                        in.number(),
                        in.number(),
                        in.subscriber()));
    }
}
