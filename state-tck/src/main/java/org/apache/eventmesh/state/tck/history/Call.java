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

/**
 * One call as its caller saw it. The two times count the beginnings and ends of all calls of a run, so that a call that
 * ended before another began has the smaller number.
 *
 * @param caller who asked
 * @param ended {@link #NEVER} when it may take effect at any later time
 * @param output empty when nobody knows: it may have taken effect between its times, or not at all
 */
public record Call<I, O>(String caller, I input, long started, long ended, Optional<O> output) {
    /** The end of a call whose answer was lost. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether an order of the calls must contain it. */
    boolean known() {
        return output.isPresent();
    }

    /** The same call for somebody who has not heard the answer. */
    Call<I, O> withoutOutput() {
        return new Call<>(caller, input, started, ended, Optional.empty());
    }

    /** The same call for somebody who left before it ended. */
    Call<I, O> cutOff() {
        return new Call<>(caller, input, started, NEVER, Optional.empty());
    }
}
