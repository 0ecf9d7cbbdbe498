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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;

/** Everything that a store set told its listener, in order of arrival. */
public final class Events implements StoreListener {
    /** One event. */
    public sealed interface Event {
        StoreName store();
    }

    public record Failed(StoreName store, String operation, StateStoreException failure) implements Event {}

    public record WasFenced(StoreName store, String operation, Scope scope, long epoch, long currentEpoch)
            implements Event {}

    public record Conflicting(StoreName store, String operation, String key) implements Event {}

    public record Slow(StoreName store, String operation, Duration took) implements Event {}

    public record UnknownFate(StoreName store, String operation) implements Event {}

    public record Resynchronised(StoreName store, String reason) implements Event {}

    public record UnreadableRecord(StoreName store, Unreadable record) implements Event {}

    public record ListenerFailed(StoreName store, Throwable failure) implements Event {}

    public record HealthChanged(StoreName store, Health now) implements Event {}

    private final List<Event> all = new CopyOnWriteArrayList<>();

    public List<Event> all() {
        return List.copyOf(all);
    }

    /** The events of a kind so far. */
    public <E extends Event> List<E> of(Class<E> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <E extends Event> boolean heard(Class<E> kind, Predicate<E> like) {
        return of(kind).stream().anyMatch(like);
    }

    @Override
    public void failed(StoreName store, String operation, StateStoreException failure) {
        all.add(new Failed(store, operation, failure));
    }

    @Override
    public void fenced(StoreName store, String operation, Scope scope, long epoch, long currentEpoch) {
        all.add(new WasFenced(store, operation, scope, epoch, currentEpoch));
    }

    @Override
    public void conflicting(StoreName store, String operation, String key) {
        all.add(new Conflicting(store, operation, key));
    }

    @Override
    public void slow(StoreName store, String operation, Duration took) {
        all.add(new Slow(store, operation, took));
    }

    @Override
    public void unknown(StoreName store, String operation) {
        all.add(new UnknownFate(store, operation));
    }

    @Override
    public void resynchronised(StoreName store, String reason) {
        all.add(new Resynchronised(store, reason));
    }

    @Override
    public void unreadable(StoreName store, Unreadable record) {
        all.add(new UnreadableRecord(store, record));
    }

    @Override
    public void listenerFailed(StoreName store, Throwable failure) {
        all.add(new ListenerFailed(store, failure));
    }

    @Override
    public void healthChanged(StoreName store, Health now) {
        all.add(new HealthChanged(store, now));
    }
}
