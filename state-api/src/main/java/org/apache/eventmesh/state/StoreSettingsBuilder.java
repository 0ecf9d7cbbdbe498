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
package org.apache.eventmesh.state;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/** Builds {@link StoreSettings}; for one thread. */
public final class StoreSettingsBuilder {
    private final String uri;
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> sharedOptions = new HashMap<>();
    private @Nullable String sharedUri;
    private Durability durability = Durability.DISK;
    private Duration deadline = Duration.ofSeconds(10);
    private boolean production = true;
    private StoreLimits limits = StoreLimits.DEFAULT;
    private Duration settledMarks = Duration.ofMinutes(10);
    private Duration keepAliveInterval = Duration.ofSeconds(1);
    private @Nullable Executor callbacks;
    private StoreListener listener = StoreListener.NONE;
    private InstantSource clock = InstantSource.system();
    private LongSupplier ticker = System::nanoTime;

    StoreSettingsBuilder(String uri) {
        this.uri = Check.given("the address (uri)", uri);
    }

    /** A setting of the backend; an unknown name is refused when it opens. */
    public StoreSettingsBuilder option(String name, String value) {
        options.put(Check.given("the name of an option", name), Check.given("option " + name, value));
        return this;
    }

    /**
     * A second backend, which many runtimes share. It then holds ownership, subscriptions, sessions, dead letters and
     * tasks; the first backend is private to this host and holds offsets and deliveries.
     */
    public StoreSettingsBuilder shared(String uri) {
        sharedUri = Check.given("the address (uri) of the shared backend", uri);
        return this;
    }

    /** As {@link #option}, of the shared backend. */
    public StoreSettingsBuilder sharedOption(String name, String value) {
        sharedOptions.put(
                Check.given("the name of a shared option", name), Check.given("shared option " + name, value));
        return this;
    }

    public StoreSettingsBuilder durability(Durability level) {
        durability = Check.given("durability", level);
        return this;
    }

    public StoreSettingsBuilder deadline(Duration limit) {
        deadline = Check.given("deadline", limit);
        return this;
    }

    /** Lets an engine open that is not durable. */
    public StoreSettingsBuilder development() {
        production = false;
        return this;
    }

    public StoreSettingsBuilder limits(StoreLimits limits) {
        this.limits = Check.given("limits", limits);
        return this;
    }

    public StoreSettingsBuilder settledMarks(Duration length) {
        settledMarks = Check.given("settledMarks", length);
        return this;
    }

    public StoreSettingsBuilder keepAliveInterval(Duration length) {
        keepAliveInterval = Check.given("keepAliveInterval", length);
        return this;
    }

    /** Not a direct executor: stages would complete on the library's threads. */
    public StoreSettingsBuilder callbacks(Executor executor) {
        callbacks = Check.given("callbacks", executor);
        return this;
    }

    public StoreSettingsBuilder listener(StoreListener events) {
        listener = Check.given("listener", events);
        return this;
    }

    public StoreSettingsBuilder clock(InstantSource source) {
        clock = Check.given("clock", source);
        return this;
    }

    public StoreSettingsBuilder ticker(LongSupplier nanos) {
        ticker = Check.given("ticker", nanos);
        return this;
    }

    /** Opens with what {@link #build} makes; as {@link StateStores#open(StoreSettings)}. */
    public StateStores open() {
        return StateStores.open(build());
    }

    /** The settings; this builder may go on to make others. */
    public StoreSettings build() {
        if (sharedUri == null && !sharedOptions.isEmpty()) {
            throw new IllegalArgumentException("options " + sharedOptions.keySet()
                    + " are of the shared backend, and there is none; name it with shared(uri)");
        }
        return new StoreSettings(
                uri,
                options,
                Optional.ofNullable(sharedUri).map(address -> new SharedBackend(address, sharedOptions)),
                durability,
                deadline,
                production,
                limits,
                settledMarks,
                keepAliveInterval,
                Optional.ofNullable(callbacks),
                listener,
                clock,
                ticker);
    }
}
