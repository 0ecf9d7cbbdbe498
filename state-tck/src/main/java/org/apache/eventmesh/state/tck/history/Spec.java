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

import java.util.Collection;
import java.util.Optional;

/**
 * What an object may answer when one call comes after the other. States are immutable values with {@code equals} and
 * {@code hashCode}: the search for an order remembers where it was.
 *
 * @param <S> the state of the object
 * @param <I> what is asked
 * @param <O> what is answered
 */
public interface Spec<S, I, O> {
    /** Before the first call. */
    S initial();

    /** The state after a call that was answered so; empty when no call in this state is answered so. */
    Optional<S> after(S state, I input, O output);

    /** Every state that a call may leave whose answer nobody knows, if it takes effect; the state itself need not be named. */
    Collection<S> possible(S state, I input);

    /** Whether the call changes nothing, whatever the answer. */
    boolean reads(I input);
}
