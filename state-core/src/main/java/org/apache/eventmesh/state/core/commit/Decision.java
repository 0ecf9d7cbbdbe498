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
package org.apache.eventmesh.state.core.commit;

import java.util.Collection;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;

/** What a {@link Decider} makes of what was read. */
public sealed interface Decision<R> {
    /** Nothing to write. */
    record Answer<R>(R result) implements Decision<R> {}

    /**
     * Read these too, then decide again. What they say may be newer than what was read before: conditions tell.
     *
     * @param keys at least one that was not read yet
     */
    record ReadMore<R>(Collection<Bytes> keys) implements Decision<R> {}

    /**
     * Commit this; when a condition does not hold, or a lease has ended ({@link Seen#leaseEnded}), decide again.
     *
     * @param result the answer, given the revision of the commit
     */
    record Write<R>(Commit commit, LongFunction<R> result) implements Decision<R> {}

    static <R> Decision<R> answer(R result) {
        return new Answer<>(result);
    }

    static <R> Decision<R> readMore(Bytes... keys) {
        return new ReadMore<>(List.of(keys));
    }

    static <R> Decision<R> write(List<Condition> conditions, List<Change> changes, R result) {
        return write(conditions, changes, revision -> result);
    }

    static <R> Decision<R> write(List<Condition> conditions, List<Change> changes, LongFunction<R> result) {
        return new Write<>(new Commit(conditions, changes), result);
    }
}
