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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for an order of the calls of one object in which each answer is the one that the object gives, and which keeps
 * apart what was apart in time: linearizability. The search is that of Wing and Gong with the memory of Lowe: no set of
 * calls that led to a state is gone on from twice.
 *
 * @param <S> the state of the object
 * @param <I> what is asked
 * @param <O> what is answered
 */
public final class Checker<S, I, O> {
    /** What the search came to. */
    public enum Verdict {
        LINEARIZABLE,
        VIOLATION,
        /** So much happened at once that the search was given up. */
        UNDECIDED
    }

    /** Some hundred megabytes of memory, some seconds. */
    static final int MOST_PLACES = 1_000_000;

    /** Where the search was: the calls that are in the order or can be no more, and the state after them. */
    private record Place<S>(BitSet done, S state) {}

    private final Spec<S, I, O> spec;
    private final List<Call<I, O>> calls;
    private final int mostPlaces;
    private final BitSet known = new BitSet();
    /** By the known calls that are done, and the state: the unknown ones. */
    private final Map<Place<S>, List<BitSet>> seen = new HashMap<>();

    private final Deque<Place<S>> left = new ArrayDeque<>();
    private int places;

    private Checker(Spec<S, I, O> spec, Collection<Call<I, O>> history, int mostPlaces) {
        this.spec = spec;
        this.mostPlaces = mostPlaces;
        this.calls = history.stream()
                .sorted(Comparator.comparingLong((Call<I, O> call) -> call.started()))
                .toList();
        for (int n = 0; n < calls.size(); n++) {
            known.set(n, calls.get(n).known());
        }
    }

    /** In any order of the list. */
    public static <S, I, O> Verdict check(Spec<S, I, O> spec, Collection<Call<I, O>> history) {
        return check(spec, history, MOST_PLACES);
    }

    /**
     * In any order of the list.
     *
     * @param mostPlaces after so many the search is given up
     */
    static <S, I, O> Verdict check(Spec<S, I, O> spec, Collection<Call<I, O>> history, int mostPlaces) {
        return new Checker<>(spec, history, mostPlaces).search();
    }

    private Verdict search() {
        come(new BitSet(), spec.initial());
        while (!left.isEmpty()) {
            if (places > mostPlaces) {
                return Verdict.UNDECIDED;
            }
            Place<S> place = left.pop();
            if (minus(known, place.done()).isEmpty()) {
                return Verdict.LINEARIZABLE;
            }
            goOn(place);
        }
        return Verdict.VIOLATION;
    }

    private static BitSet minus(BitSet from, BitSet taken) {
        BitSet rest = (BitSet) from.clone();
        rest.andNot(taken);
        return rest;
    }

    /**
     * Goes on from a place later, unless somewhere with the same known calls, the same state and no other unknown calls
     * it was tried before: with more of them to come, that had every way that this one has.
     */
    private void come(BitSet done, S state) {
        leaveOutWhatIsPast(done);
        List<BitSet> before =
                seen.computeIfAbsent(new Place<>(minus(done, minus(done, known)), state), first -> new ArrayList<>(1));
        BitSet unknown = minus(done, known);
        if (before.stream().noneMatch(less -> minus(less, unknown).isEmpty())) {
            before.add(unknown);
            places++;
            left.push(new Place<>(done, state));
        }
    }

    /** An unknown call that ended before one that is in the order began comes no more. */
    private void leaveOutWhatIsPast(BitSet done) {
        long latest = done.isEmpty() ? 0 : calls.get(done.length() - 1).started();
        for (int n = done.nextClearBit(0); n < done.length(); n = done.nextClearBit(n + 1)) {
            if (calls.get(n).ended() < latest) {
                done.set(n);
            }
        }
    }

    /** What comes last is tried first: the known call that ended first, and the unknown ones only after all known. */
    private void goOn(Place<S> place) {
        List<Integer> next = next(place.done());
        next.sort(Comparator.comparing((Integer n) -> known.get(n))
                .thenComparing(n -> calls.get(n).ended(), Comparator.reverseOrder()));
        for (int n : next) {
            Call<I, O> call = calls.get(n);
            if (call.output().isPresent()) {
                spec.after(place.state(), call.input(), call.output().get())
                        .ifPresent(state -> come(with(place.done(), n), state));
            } else {
                for (S state : spec.possible(place.state(), call.input())) {
                    if (!state.equals(place.state())) {
                        come(with(place.done(), n), state);
                    }
                }
            }
        }
    }

    private static BitSet with(BitSet done, int call) {
        BitSet more = (BitSet) done.clone();
        more.set(call);
        return more;
    }

    /** The calls that may come next: those that began before any known one that is still to come had ended. */
    private List<Integer> next(BitSet done) {
        long horizon = Long.MAX_VALUE;
        List<Integer> next = new ArrayList<>();
        for (int n = done.nextClearBit(0); n < calls.size(); n = done.nextClearBit(n + 1)) {
            Call<I, O> call = calls.get(n);
            if (call.started() > horizon) {
                break;
            }
            next.add(n);
            if (call.known()) {
                horizon = Math.min(horizon, call.ended());
            }
        }
        long end = horizon;
        next.removeIf(n -> calls.get(n).started() > end);
        return next;
    }
}
