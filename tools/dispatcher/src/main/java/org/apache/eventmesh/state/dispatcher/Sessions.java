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

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;

/** Sessions that end when nothing keeps them alive: at whichever instance, and swept by any. */
public final class Sessions {
    private final StateStores stores;
    private final DispatcherSettings settings;

    Sessions(StateStores stores, DispatcherSettings settings) {
        this.stores = stores;
        this.settings = settings;
    }

    /** Idempotent. */
    public CompletionStage<Session> open(SessionSpec spec) {
        return stores.sessions().open(spec);
    }

    /** Something came from its client. Empty when the session is gone. */
    public CompletionStage<Optional<Session>> touch(SessionId id) {
        return stores.sessions().keepAlive(id);
    }

    /** Ends those that were idle too long; one that was touched meanwhile, here or elsewhere, stays. */
    void sweep() {
        Swept swept;
        do {
            swept = Await.result(stores.sessions().expire(settings.most()));
        } while (swept.more() && swept.count() > 0);
    }
}
