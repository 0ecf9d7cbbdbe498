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
package org.apache.eventmesh.state.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What an engine is opened with.
 *
 * @param uri the whole address, for example {@code rocksdb:///var/lib/em/state}; holds no secret
 * @param options the backend's own settings by name; may hold secrets, which appear in no message and no log line
 * @param deadline how long one operation may take; {@link #LONGEST} stands for all that is longer
 * @param clock wall time, for due times only
 * @param ticker monotonic nanoseconds, for leases and deadlines
 * @param listener hears of what the engine notices by itself
 */
public record EngineConfig(
        String uri,
        Map<String, String> options,
        Duration deadline,
        InstantSource clock,
        LongSupplier ticker,
        EngineListener listener) {
    /** A century: what is longer may not fit nanoseconds. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    public EngineConfig {
        Objects.requireNonNull(uri, "the address of an engine must not be null");
        options = Map.copyOf(options);
        Objects.requireNonNull(deadline, "the deadline of an engine must not be null");
        deadline = deadline.compareTo(LONGEST) < 0 ? deadline : LONGEST;
        Objects.requireNonNull(clock, "the clock of an engine must not be null");
        Objects.requireNonNull(ticker, "the ticker of an engine must not be null");
        Objects.requireNonNull(listener, "the listener of an engine must not be null; there is EngineListener.NONE");
    }

    /** Never prints an option's value: it may be a secret. */
    @Override
    public String toString() {
        return "EngineConfig[" + uri + ", options " + options.keySet() + "]";
    }
}
