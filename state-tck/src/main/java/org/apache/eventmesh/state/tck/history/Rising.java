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
 * A number that only rises, as far as it is known: after a call whose answer was lost it is greater than before, and
 * nobody knows by how much until somebody sees it.
 */
record Rising(long value, boolean exact) {
    static final Rising NEVER = new Rising(0, true);

    /** What is known after it was seen; empty when it cannot be that. */
    Optional<Rising> seen(long number) {
        boolean fits = exact ? number == value : number > value;
        return fits ? Optional.of(new Rising(number, true)) : Optional.empty();
    }

    /** What is known after it was raised to a number; empty when that is no rise. */
    Optional<Rising> raised(long number) {
        return number > value ? Optional.of(new Rising(number, true)) : Optional.empty();
    }

    /** What is known after it was raised unseen. */
    Rising raised() {
        return new Rising(value, false);
    }
}
