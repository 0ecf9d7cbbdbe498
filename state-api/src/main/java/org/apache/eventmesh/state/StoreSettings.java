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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.value.Durability;

/**
 * Immutable settings of a store set; made by {@link #builder}. A duration longer than {@link #LONGEST} is kept as that.
 *
 * @param uri where: scheme and place, never a secret
 * @param options the backend's own settings by name; may hold secrets, which no message and no log line shows
 * @param shared the second backend of a set of two; empty: the one backend holds everything
 * @param durability of open, ack, nack, hand-out, release, advance and confirm; all else is synced
 * @param deadline by which every operation's stage has completed
 * @param production refuses an engine that is not durable
 * @param limits sizes and counts
 * @param settledMarks how long a settled delivery is remembered, so that late acks are told what became of it
 * @param keepAliveInterval how long session keep-alives are coalesced
 * @param callbacks where all stages complete and all listeners are called: whoever gives one decides how many of them may
 *     block at a time, and what blocks all of its threads keeps every stage from completing. Empty: threads of the store
 *     set's own, few for the stages and others for the listeners, as many as block, so that no listener holds up a stage
 *     or another listener
 * @param clock wall time, for due times and retention only
 * @param ticker monotonic nanoseconds, for leases and deadlines
 */
public record StoreSettings(
        String uri,
        Map<String, String> options,
        Optional<SharedBackend> shared,
        Durability durability,
        Duration deadline,
        boolean production,
        StoreLimits limits,
        Duration settledMarks,
        Duration keepAliveInterval,
        Optional<Executor> callbacks,
        StoreListener listener,
        InstantSource clock,
        LongSupplier ticker) {
    /** Of a duration here: 36,500 days, which stands for all that is longer and would not fit nanoseconds. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    public StoreSettings {
        Check.given("the address (uri)", uri);
        Check.given("shared", shared);
        Check.given("durability", durability);
        Check.given("deadline", deadline);
        Check.given("limits", limits);
        Check.given("settledMarks", settledMarks);
        Check.given("keepAliveInterval", keepAliveInterval);
        Check.given("callbacks", callbacks);
        Check.given("listener", listener);
        Check.given("clock", clock);
        Check.given("ticker", ticker);
        Check.that(
                uri.indexOf(':') > 0,
                "address \"%s\" has no scheme; give one such as rocksdb:///var/lib/em/state",
                uri);
        options = Check.entries("options", options);
        Check.that(
                shared.map(second -> !second.uri().equals(uri)).orElse(true),
                "the local and the shared backend are both %s; give two places, or one backend alone",
                uri);
        deadline = fitting("deadline", deadline);
        settledMarks = fitting("settledMarks", settledMarks);
        keepAliveInterval = fitting("keepAliveInterval", keepAliveInterval);
    }

    private static Duration fitting(String what, Duration value) {
        return Check.positive(what, value).compareTo(LONGEST) < 0 ? value : LONGEST;
    }

    /** All defaults. */
    public static StoreSettings of(String uri) {
        return builder(uri).build();
    }

    public static StoreSettingsBuilder builder(String uri) {
        return new StoreSettingsBuilder(uri);
    }

    /** The addresses of all its backends, for messages. */
    public String places() {
        return shared.map(second -> uri + " with " + second.uri()).orElse(uri);
    }

    /** Never prints an option's value: it may be a secret. */
    @Override
    public String toString() {
        return "StoreSettings[" + uri + ", options " + options.keySet()
                + shared.map(second -> ", shared " + second).orElse("") + ", " + durability + ", deadline " + deadline
                + (production ? ", production" : ", development") + "]";
    }
}
