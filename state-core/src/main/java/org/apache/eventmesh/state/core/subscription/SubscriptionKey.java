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

import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.value.Bytes;

/** Where a registration stands: a client has at most one for a topic. */
record SubscriptionKey(String topic, ClientId client) {
    static KeyRange all() {
        return KeyWriter.of(Table.SUBSCRIPTION).under();
    }

    static KeyRange ofTopic(String topic) {
        return KeyWriter.of(Table.SUBSCRIPTION).text(topic).under();
    }

    static KeyRange ofClient(ClientId client) {
        return KeyWriter.of(Table.SUBSCRIPTION_BY_CLIENT).text(client.value()).under();
    }

    static KeyRange ofInstance(String instance) {
        return KeyWriter.of(Table.SUBSCRIPTION_BY_INSTANCE).text(instance).under();
    }

    Bytes bytes() {
        return KeyWriter.of(Table.SUBSCRIPTION).text(topic).text(client.value()).key();
    }

    Bytes byClient() {
        return KeyWriter.of(Table.SUBSCRIPTION_BY_CLIENT)
                .text(client.value())
                .text(topic)
                .key();
    }

    Bytes byInstance(String instance) {
        return KeyWriter.of(Table.SUBSCRIPTION_BY_INSTANCE)
                .text(instance)
                .text(client.value())
                .text(topic)
                .key();
    }

    static SubscriptionKey read(Bytes key) {
        return KeyReader.read(Table.SUBSCRIPTION, key, in -> new SubscriptionKey(in.text(), new ClientId(in.text())));
    }

    static SubscriptionKey readByClient(Bytes key) {
        return KeyReader.read(Table.SUBSCRIPTION_BY_CLIENT, key, in -> {
            ClientId client = new ClientId(in.text());
            return new SubscriptionKey(in.text(), client);
        });
    }

    static SubscriptionKey readByInstance(Bytes key) {
        return KeyReader.read(Table.SUBSCRIPTION_BY_INSTANCE, key, in -> {
            in.text();
            ClientId client = new ClientId(in.text());
            return new SubscriptionKey(in.text(), client);
        });
    }
}
