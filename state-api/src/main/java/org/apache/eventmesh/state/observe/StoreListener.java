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
package org.apache.eventmesh.state.observe;

import java.time.Duration;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.result.Unreadable;

/**
 * Events from which a runtime makes its metrics and logs. Called on the callback executor, or without one on a thread of
 * its own; by each store set one call after the other. An exception harms only that one call and is logged. A listener that
 * is slow or blocks holds up nothing but its own events: when 10,000 of them wait, more are lost, and the log says how many.
 */
public interface StoreListener {
    /** An operation completed with a failure. */
    default void failed(StoreName store, String operation, StateStoreException failure) {}

    /** A write was refused because another owns; {@code currentEpoch} is 0 when nobody does. */
    default void fenced(StoreName store, String operation, Scope scope, long epoch, long currentEpoch) {}

    /** A conditional write met a concurrent one and was decided again. */
    default void conflicting(StoreName store, String operation, String key) {}

    /** An operation took longer than a tenth of its deadline. */
    default void slow(StoreName store, String operation, Duration took) {}

    /** The fate of a write is not known; the library goes on to find out. */
    default void unknown(StoreName store, String operation) {}

    /** A watch lost its place and started again from a snapshot. */
    default void resynchronised(StoreName store, String reason) {}

    /** A stored record cannot be decoded. */
    default void unreadable(StoreName store, Unreadable record) {}

    /** A caller's listener threw. */
    default void listenerFailed(StoreName store, Throwable failure) {}

    /** A store's backend went away or came back. */
    default void healthChanged(StoreName store, Health now) {}

    /** Hears nothing. */
    StoreListener NONE = new StoreListener() {};
}
