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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.eventmesh.state.tck.history.Checker.Verdict;

/**
 * The few calls of a history that have no order, whatever became of all others. Each step on the way to them keeps what
 * it shows true: a history without its end, a call whose answer nobody heard, and one without a read have an order if the
 * whole history has one.
 *
 * @param calls those that are needed, in the order of their beginnings
 * @param others how many more there were, which explain nothing
 */
public record Counterexample<I, O>(List<Call<I, O>> calls, int others) {
    /** Of one step: where more is needed, the example stays larger than it must. */
    private static final int MOST_PLACES = 20_000;

    /**
     * Looks for an order, and for the reason why there is none.
     *
     * @return empty when there is an order
     * @throws AssertionError when the search was given up
     */
    public static <S, I, O> Optional<Counterexample<I, O>> of(Spec<S, I, O> spec, Collection<Call<I, O>> history) {
        Verdict verdict = Checker.check(spec, history);
        if (verdict == Verdict.UNDECIDED) {
            throw new AssertionError("the search for an order of " + history.size() + " calls was given up; run fewer"
                    + " threads or fewer operations on one thing");
        }
        return verdict == Verdict.LINEARIZABLE ? Optional.empty() : Optional.of(shrunk(spec, history));
    }

    private static <S, I, O> Counterexample<I, O> shrunk(Spec<S, I, O> spec, Collection<Call<I, O>> history) {
        List<Call<I, O>> left = shortestBeginning(spec, history);
        left = withoutAnswers(spec, left);
        List<Call<I, O>> needed = left.stream()
                .filter(Call::known)
                .sorted(Comparator.comparingLong((Call<I, O> call) -> call.started()))
                .toList();
        return new Counterexample<>(needed, history.size() - needed.size());
    }

    private static <S, I, O> boolean isViolation(Spec<S, I, O> spec, Collection<Call<I, O>> history) {
        return Checker.check(spec, history, MOST_PLACES) == Verdict.VIOLATION;
    }

    /** If a beginning has no order, no longer one has: the shortest is found by halving. */
    private static <S, I, O> List<Call<I, O>> shortestBeginning(Spec<S, I, O> spec, Collection<Call<I, O>> history) {
        List<Long> ends = new ArrayList<>(new TreeSet<>(history.stream()
                .filter(Call::known)
                .map((Call<I, O> call) -> call.ended())
                .toList()));
        int low = 0;
        int high = ends.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isViolation(spec, until(history, ends.get(middle)))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return until(history, ends.get(high));
    }

    private static <I, O> List<Call<I, O>> until(Collection<Call<I, O>> history, long end) {
        return history.stream()
                .filter(call -> call.started() <= end)
                .map(call -> call.ended() <= end ? call : call.cutOff())
                .toList();
    }

    /** Many at once first, then one by one. */
    private static <S, I, O> List<Call<I, O>> withoutAnswers(Spec<S, I, O> spec, List<Call<I, O>> history) {
        List<Call<I, O>> left = history;
        for (int size = Math.max(1, history.size() / 2); size > 0; size /= 2) {
            List<Call<I, O>> tried = left.stream().filter(Call::known).toList();
            for (int from = 0; from < tried.size(); from += size) {
                List<Call<I, O>> less = without(spec, left, tried.subList(from, Math.min(tried.size(), from + size)));
                if (isViolation(spec, less)) {
                    left = less;
                }
            }
        }
        return left;
    }

    private static <S, I, O> List<Call<I, O>> without(
            Spec<S, I, O> spec, List<Call<I, O>> history, List<Call<I, O>> answers) {
        List<Call<I, O>> less = new ArrayList<>(history);
        less.removeAll(answers);
        answers.stream()
                .filter(call -> !spec.reads(call.input()))
                .map(Call::withoutOutput)
                .forEach(less::add);
        return less;
    }

    /** As a table: when each call began and ended among the others, who asked what, and what came back. */
    public String table() {
        return CallTable.of(calls) + "and " + others + " more calls, which explain nothing, whatever became of them\n";
    }
}
