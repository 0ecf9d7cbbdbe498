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

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.eventmesh.state.core.read.ViewListener;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionListener;
import org.apache.eventmesh.state.value.Bytes;

/** Tells a caller's listener what happens to the local copy. */
record ToldSubscriptions(SubscriptionListener listener) implements ViewListener<Subscription> {
    @Override
    public void resynchronised(SortedMap<Bytes, Subscription> all) {
        listener.resynchronised(List.copyOf(all.values()));
    }

    @Override
    public void changed(Bytes key, Optional<Subscription> before, Optional<Subscription> now) {
        now.ifPresentOrElse(listener::added, () -> before.ifPresent(listener::removed));
    }
}
