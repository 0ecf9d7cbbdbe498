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
package org.apache.eventmesh.state.delivery;

import java.util.Set;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;

/** Where the messages of a batch come from. */
public sealed interface Source {
    /**
     * An ordered log (Kafka): the offsets {@code from} (inclusive) to {@code to} (exclusive) were read.
     *
     * @param generation names this life of the topic: a recreated topic has a new one
     * @param readers every subscriber that reads the partition, also those who get none of these messages
     */
    record Range(String generation, long from, long to, Set<Subscriber> readers) implements Source {
        public Range {
            Check.identifier("generation", generation);
            Check.notNegative("from", from);
            Check.that(from <= to, "range from %d to %d is backwards", from, to);
            readers = Set.copyOf(Check.elements("readers", readers));
        }
    }

    /** No order, no cursor (RocketMQ POP): each message is acknowledged to the broker by its handle. */
    record Unordered() implements Source {}
}
