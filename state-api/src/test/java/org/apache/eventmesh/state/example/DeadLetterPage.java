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

import java.time.Instant;
import java.util.Optional;
import org.apache.eventmesh.state.deadletter.*;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.result.*;

/** An operator's page; blocking, on its own threads. */
final class DeadLetterPage {
    private final DeadLetterStore store;

    DeadLetterPage(DeadLetterStore store) {
        this.store = store;
    }

    Page<DeadLetter> list(String topic, Optional<String> position) {
        return Await.result(store.list(DeadLetterFilter.topic(topic), new PageRequest(50, position)));
    }

    String replay(DeadLetter shown, String formId) {
        ReplayResult r = Await.result(store.replay(shown, RequestKey.of(formId)));
        return r instanceof ReplayResult.Replayed x
                ? "replayed as " + x.delivery().number()
                : r instanceof ReplayResult.Queued ? "queued" : "changed meanwhile, look again";
    }

    long purge(String topic, Instant until) {
        Swept swept = Await.result(store.purge(DeadLetterFilter.topic(topic), until, 1000));
        return swept.count() + (swept.more() ? purge(topic, until) : 0);
    }
}
