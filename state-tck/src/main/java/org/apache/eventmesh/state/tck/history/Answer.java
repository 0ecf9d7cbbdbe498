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
package org.apache.eventmesh.state.tck.history;

import java.util.Optional;
import java.util.function.Function;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Outcome;

/**
 * What a caller came to know of a call.
 *
 * @param value empty when it failed, or when nobody knows
 * @param lost whether it may have been applied, or may be yet
 */
record Answer<T>(Optional<T> value, boolean lost) {
    static <T> Answer<T> is(T value) {
        return new Answer<>(Optional.of(value), false);
    }

    static <T> Answer<T> lostOne() {
        return new Answer<>(Optional.empty(), true);
    }

    /** Of a call that was answered with a failure, whose word is taken for it. */
    static <T> Answer<T> failed(StateStoreException failure) {
        return new Answer<>(Optional.empty(), !failure.certainlyNotApplied());
    }

    static <T> Answer<T> outcome(Outcome<? extends T> outcome) {
        return outcome instanceof Outcome.Failed<?> failed ? failed(failed.failure()) : is(outcome.orThrow());
    }

    /** What this one says of a part of the call. */
    <R> Answer<R> part(Function<? super T, Answer<R>> part) {
        return value.map(part).orElseGet(() -> new Answer<>(Optional.empty(), lost));
    }
}
