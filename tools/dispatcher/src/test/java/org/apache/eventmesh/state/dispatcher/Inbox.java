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
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.id.ClientId;

/** What was pushed to the clients of one instance. */
final class Inbox implements Transport {
    private final List<HandOut> all = new CopyOnWriteArrayList<>();

    @Override
    public void push(HandOut handOut) {
        all.add(handOut);
    }

    List<HandOut> all() {
        return List.copyOf(all);
    }

    List<HandOut> of(ClientId client) {
        return all.stream()
                .filter(handOut -> handOut.receiver().client().equals(client))
                .toList();
    }

    /** Empties it. */
    List<HandOut> take() {
        List<HandOut> taken = all();
        all.removeAll(taken);
        return taken;
    }
}
