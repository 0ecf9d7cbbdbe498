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
package org.apache.eventmesh.state.core.owner;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Whether this process may go on under a token by what it knows itself. That matters where the writes under the token go to
 * another backend than the one that keeps the ownership: there no commit sees that the lease has ended.
 */
public interface Validity {
    /** For writes that see the ownership itself. */
    Validity ALWAYS = new Validity() {
        @Override
        public boolean now() {
            return true;
        }

        @Override
        public CompletionStage<Answer> look() {
            return CompletableFuture.completedStage(new Answer.Valid());
        }
    };

    /** By the local monotonic clock; asks nobody. */
    boolean now();

    /** Finds out whether it may go on after all, as after a renewal. Fails when the ownership cannot be read. */
    CompletionStage<Answer> look();

    /** What was found out. */
    sealed interface Answer {
        record Valid() implements Answer {}

        /** The lease has ended, and nobody is known to have taken over: it may be valid again. */
        record Ended() implements Answer {}

        /** It is not the owner any more. */
        record Past(Fenced fenced) implements Answer {}
    }
}
