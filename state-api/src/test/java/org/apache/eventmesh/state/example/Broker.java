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
package org.apache.eventmesh.state.example;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What the runtime has of a broker. */
interface Broker {
    boolean ordered();

    /** Names this life of the topic. */
    String generation(Partition p);

    void seek(Partition p, long offset);

    void commit(Partition p, long offset);

    CompletionStage<List<FanOut>> acknowledge(List<FanOut> done);

    interface Message {
        long offset();

        Bytes payload();

        Attributes attributes();

        Optional<Bytes> brokerHandle();

        boolean matches(List<Subscription> subscriptions);
    }
}
