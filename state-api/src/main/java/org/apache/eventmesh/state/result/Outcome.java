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
package org.apache.eventmesh.state.result;

import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.internal.Check;

/**
 * What became of one element of a batch.
 *
 * @param <R> the store's decision
 */
public sealed interface Outcome<R> {
    /** A decision of the store. */
    record Done<R>(R result) implements Outcome<R> {
        public Done {
            Check.given("result", result);
        }
    }

    /** A failure of this element alone. */
    record Failed<R>(StateStoreException failure) implements Outcome<R> {
        public Failed {
            Check.given("failure", failure);
        }
    }

    /**
     * The decision.
     *
     * @throws StateStoreException the failure, if this is one
     */
    default R orThrow() {
        if (this instanceof Done<R> done) {
            return done.result();
        }
        throw ((Failed<R>) this).failure();
    }
}
