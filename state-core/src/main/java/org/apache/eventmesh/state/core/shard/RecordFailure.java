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
package org.apache.eventmesh.state.core.shard;

import java.util.Optional;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/** Failures that are of one record, so that whatever else is asked of the backend may succeed. */
public final class RecordFailure {
    private RecordFailure() {}

    public static boolean is(Throwable failure) {
        return Failures.unwrapped(failure) instanceof LimitExceededException || isDamage(failure);
    }

    /** How a record is named that could not be decoded; empty when it was something else that failed. */
    public static Optional<Unreadable> damage(Bytes key, Throwable failure) {
        return isDamage(failure)
                ? Optional.of(Codec.unreadable(key, (StateStoreException) Failures.unwrapped(failure)))
                : Optional.empty();
    }

    private static boolean isDamage(Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        return cause instanceof CorruptStateException || cause instanceof IncompatibleFormatException;
    }
}
