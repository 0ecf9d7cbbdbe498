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
package org.apache.eventmesh.state.tck.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The faults that wait for their commit or read; the first that was armed and hits goes first.
 *
 * @param <F> the kind of fault
 */
final class Armed<F> {
    private static final class Waiting<F> {
        private final Which which;
        private final F fault;
        private long matched;

        Waiting(Which which, F fault) {
            this.which = which;
            this.fault = fault;
        }

        boolean hits(Predicate<Which> matches) {
            if (!matches.test(which)) {
                return false;
            }
            matched++;
            return matched >= which.first() && matched - which.first() < which.times();
        }
    }

    private final List<Waiting<F>> waiting = new ArrayList<>();

    synchronized void arm(Which which, F fault) {
        waiting.add(new Waiting<>(which, fault));
    }

    synchronized void disarm() {
        waiting.clear();
    }

    /** Counts for every fault that waits, so that {@code nth} means the same whatever else is armed. */
    synchronized Optional<F> hit(Predicate<Which> matches) {
        List<F> hit = new ArrayList<>();
        for (Waiting<F> fault : waiting) {
            if (fault.hits(matches)) {
                hit.add(fault.fault);
            }
        }
        return hit.stream().findFirst();
    }
}
