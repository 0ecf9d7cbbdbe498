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
package org.apache.eventmesh.state.tck.crash;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * That a loss of power took only the end of what was written: where an answer is lost, nothing is there that was asked for
 * after that answer, in whatever store.
 */
final class Prefix {
    private final BiFunction<String, String, Optional<Boolean>> reached;

    /** @param reached whether a thing has come to a value or passed it; empty where that cannot be seen any more */
    Prefix(BiFunction<String, String, Optional<Boolean>> reached) {
        this.reached = reached;
    }

    /**
     * Throws where there is a hole.
     *
     * @return how many answers are lost
     */
    long check(List<Ledger.Late> answered, List<Ledger.Asked> unanswered) {
        List<Ledger.Late> lost =
                answered.stream().filter(call -> has(call.things(), false)).toList();
        Optional<Ledger.Late> first = lost.stream().min(Comparator.comparingLong(Ledger.Late::promised));
        first.ifPresent(missing -> {
            answered.stream()
                    .filter(call -> call.asked() > missing.promised() && has(call.things(), true))
                    .findAny()
                    .ifPresent(call -> hole(missing, call));
            unanswered.stream()
                    .filter(call -> call.line() > missing.promised() && has(call.things(), true))
                    .findAny()
                    .ifPresent(call -> hole(missing, call));
        });
        return lost.size();
    }

    private boolean has(Map<String, String> things, boolean there) {
        return things.entrySet().stream()
                .anyMatch(each -> reached.apply(each.getKey(), each.getValue())
                        .filter(is -> is == there)
                        .isPresent());
    }

    private static void hole(Ledger.Late missing, Object there) {
        throw new AssertionError("a hole: " + missing + " is lost, and " + there + ", asked for later, is there");
    }
}
