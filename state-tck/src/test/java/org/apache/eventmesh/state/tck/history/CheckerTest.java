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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.eventmesh.state.tck.history.Checker.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories whose truth is known. A history is drawn as it happens: {@code "a:w1 a=ok"} is a call of {@code a} that begins
 * and its end; {@code "a=?"} is an answer that was lost.
 */
class CheckerTest {
    /** A register of one number: {@code w1} writes, {@code r} reads, {@code c1>2} replaces 1 by 2 if it is 1. */
    private static final Spec<Integer, String, String> REGISTER = new Spec<>() {
        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Optional<Integer> after(Integer state, String input, String output) {
            if (input.equals("r")) {
                return output.equals(String.valueOf(state)) ? Optional.of(state) : Optional.empty();
            }
            if (input.startsWith("w")) {
                return output.equals("ok") ? Optional.of(Integer.parseInt(input.substring(1))) : Optional.empty();
            }
            String[] values = input.substring(1).split(">", -1);
            boolean fits = Integer.parseInt(values[0]) == state;
            if (!output.equals(fits ? "ok" : "no")) {
                return Optional.empty();
            }
            return Optional.of(fits ? Integer.parseInt(values[1]) : state);
        }

        @Override
        public Collection<Integer> possible(Integer state, String input) {
            return Arrays.asList("ok", "no").stream()
                    .flatMap(output -> after(state, input, output).stream())
                    .toList();
        }

        @Override
        public boolean reads(String input) {
            return input.equals("r");
        }
    };

    /** {@code +} counts and tells the number. */
    private static final Spec<Integer, String, String> COUNTER = new Spec<>() {
        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Optional<Integer> after(Integer state, String input, String output) {
            return output.equals(String.valueOf(state + 1)) ? Optional.of(state + 1) : Optional.empty();
        }

        @Override
        public Collection<Integer> possible(Integer state, String input) {
            return List.of(state + 1);
        }

        @Override
        public boolean reads(String input) {
            return false;
        }
    };

    /** Positions in a queue: {@code o} opens the next and tells its number, {@code s3} settles, {@code p} is the lowest open. */
    private static final Spec<List<Integer>, String, String> POSITIONS = new Spec<>() {
        @Override
        public List<Integer> initial() {
            // the next one to open, then what is open
            return List.of(0);
        }

        @Override
        public Optional<List<Integer>> after(List<Integer> state, String input, String output) {
            if (input.equals("o")) {
                List<Integer> more = new ArrayList<>(state);
                more.add(state.get(0));
                more.set(0, state.get(0) + 1);
                return output.equals(String.valueOf(state.get(0))) ? Optional.of(List.copyOf(more)) : Optional.empty();
            }
            if (input.equals("p")) {
                int lowest = state.stream().mapToInt(each -> each).min().orElseThrow();
                return output.equals(String.valueOf(lowest)) ? Optional.of(state) : Optional.empty();
            }
            List<Integer> less = new ArrayList<>(state.subList(1, state.size()));
            boolean was = less.remove(Integer.valueOf(input.substring(1)));
            less.add(0, state.get(0));
            return output.equals(was ? "ok" : "no") ? Optional.of(List.copyOf(less)) : Optional.empty();
        }

        @Override
        public Collection<List<Integer>> possible(List<Integer> state, String input) {
            String opened = String.valueOf(state.get(0));
            return Arrays.asList(opened, "ok", "no").stream()
                    .flatMap(output -> after(state, input, output).stream())
                    .toList();
        }

        @Override
        public boolean reads(String input) {
            return input.equals("p");
        }
    };

    /** As drawn. */
    private static List<Call<String, String>> history(String drawn) {
        List<Call<String, String>> calls = new ArrayList<>();
        String[] events = drawn.split(" +", -1);
        for (int from = 0; from < events.length; from++) {
            String[] begin = events[from].split(":", -1);
            if (begin.length == 1) {
                continue;
            }
            long ended = Call.NEVER;
            Optional<String> output = Optional.empty();
            for (int to = from + 1; to < events.length; to++) {
                String[] end = events[to].split("=", -1);
                if (end.length == 2 && end[0].equals(begin[0])) {
                    output = Optional.of(end[1]).filter(told -> !told.equals("?"));
                    ended = output.isPresent() ? to : Call.NEVER;
                    break;
                }
            }
            calls.add(new Call<>(begin[0], begin[1], from, ended, output));
        }
        return calls;
    }

    private static <S> Verdict verdict(Spec<S, String, String> spec, String drawn) {
        return Checker.check(spec, history(drawn));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:r a=0",
                "a:w1 a=ok b:r b=1",
                // both reads while the write is under way: one before it, one after
                "a:w1 b:r b=0 c:r c=1 a=ok",
                "a:w1 b:w2 a=ok b=ok c:r c=1",
                "a:w1 b:w2 a=ok b=ok c:r c=2",
                // a lost write took effect, late, or never did
                "a:w1 a=? b:r b=0 b:r b=1 b:r b=1",
                "a:w1 a=? b:r b=0 b:r b=0",
                "a:w1 a=? b:w2 b=ok b:r b=2 b:r b=1",
                "a:c0>1 b:c0>2 a=no b=ok c:r c=2",
                "a:c0>1 a=? b:c1>2 b=ok",
                "a:c0>1 a=? b:c0>2 b=no b:r b=1",
            })
    void aRegisterMayAnswerSo(String drawn) {
        assertThat(verdict(REGISTER, drawn)).isEqualTo(Verdict.LINEARIZABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:r a=1",
                "a:w1 a=ok b:r b=0",
                "a:w1 a=ok a:w2 a=ok b:r b=1",
                // one reader saw the new value, and a later one the old
                "a:w1 b:r b=1 c:r c=0 a=ok",
                "a:w1 b:w2 a=ok b=ok c:r c=1 d:r d=2",
                // it took effect once, not twice
                "a:w1 a=? b:r b=1 b:w2 b=ok b:r b=1",
                // both won
                "a:c0>1 b:c0>2 a=ok b=ok",
                // it was there, and then it was not
                "a:c0>1 a=? b:r b=1 b:c0>2 b=ok",
                // nobody wrote it
                "a:w1 a=? b:r b=3",
            })
    void aRegisterMayNotAnswerSo(String drawn) {
        assertThat(verdict(REGISTER, drawn)).isEqualTo(Verdict.VIOLATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:+ b:+ a=2 b=1", "a:+ a=? b:+ b=1 b:+ b=3", "a:+ a=? b:+ b=? c:+ c=3"})
    void aCounterMayAnswerSo(String drawn) {
        assertThat(verdict(COUNTER, drawn)).isEqualTo(Verdict.LINEARIZABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:+ b:+ a=1 b=1", "a:+ a=2 b:+ b=1", "a:+ a=1 b:+ b=3", "a:+ a=? b:+ b=? c:+ c=4"})
    void aCounterMayNotAnswerSo(String drawn) {
        assertThat(verdict(COUNTER, drawn)).isEqualTo(Verdict.VIOLATION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:o a=0 b:o b=1 a:s1 a=ok b:p b=0 a:s0 a=ok b:p b=2",
                "a:o b:o a=1 b=0 a:s0 b:p a=ok b=1",
                "a:o a=0 a:s0 a=? b:p b=0 b:p b=1",
                "a:o a=0 a:s0 a=? b:s0 b=no",
            })
    void positionsMayBeSo(String drawn) {
        assertThat(verdict(POSITIONS, drawn)).isEqualTo(Verdict.LINEARIZABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // it passed what is open
                "a:o a=0 b:o b=1 a:s1 a=ok b:p b=2",
                // it fell
                "a:o a=0 b:o b=1 a:s0 b:p b=1 c:p c=0 a=ok",
                // it was settled twice
                "a:o a=0 a:s0 b:s0 a=ok b=ok",
                // one number for two
                "a:o b:o a=0 b=0",
                // lost
                "a:o a=0 a:s0 a=ok b:p b=0",
            })
    void positionsMayNotBeSo(String drawn) {
        assertThat(verdict(POSITIONS, drawn)).isEqualTo(Verdict.VIOLATION);
    }

    @Test
    void theCounterexampleIsTheFewCallsThatContradict() {
        List<Call<String, String>> calls =
                history("a:w1 a=ok b:w2 b=ok a:r a=2 c:w5 c=? a:w3 a=ok b:r d:w9 b=3 d=ok c:r c=9"
                        + " a:w4 a=ok b:r b=3 c:r c=4 a:w7 a=ok a:r a=7");

        Counterexample<String, String> found =
                Counterexample.of(REGISTER, calls).orElseThrow();

        assertThat(found.calls()).extracting(Call::input).containsExactly("w4", "r");
        assertThat(found.calls().get(1).output()).contains("3");
        assertThat(found.others()).isEqualTo(calls.size() - 2);
        assertThat(found.table()).isEqualTo("""
                        from  to  caller  call  answer
                        1     2   a       w4    ok
                        3     4   b       r     3
                        and 11 more calls, which explain nothing, whatever became of them
                        """);
        assertThat(Counterexample.of(REGISTER, history("a:w1 a=ok b:r b=1"))).isEmpty();
    }

    @Test
    void whatARegisterReallyDidIsAlwaysFoundAndAWrongAnswerAmongManyIsSeen() {
        Random random = new Random(Long.getLong("seed", 20_311));
        for (int run = 0; run < 40; run++) {
            List<Call<String, String>> calls = new ArrayList<>(happened(random, 4, 12));
            assertThat(Checker.check(REGISTER, calls)).isEqualTo(Verdict.LINEARIZABLE);

            Call<String, String> last = new Call<>("z", "r", 100_000, 100_001, Optional.of("no such number"));
            calls.add(last);
            assertThat(Checker.check(REGISTER, calls)).isEqualTo(Verdict.VIOLATION);
            assertThat(Counterexample.of(REGISTER, calls).orElseThrow().calls()).containsExactly(last);
        }
    }

    /** Calls on a real register: each takes effect at a moment between its beginning and its end; some answers are lost. */
    private static List<Call<String, String>> happened(Random random, int callers, int each) {
        int state = 0;
        List<Call<String, String>> calls = new ArrayList<>();
        String[] input = new String[callers];
        String[] output = new String[callers];
        long[] started = new long[callers];
        int[] left = new int[callers];
        Arrays.fill(left, each);
        for (long time = 0; Arrays.stream(left).sum() > 0; time++) {
            int caller = random.nextInt(callers);
            if (left[caller] == 0) {
                continue;
            }
            if (input[caller] == null) {
                int value = random.nextInt(4);
                input[caller] = List.of("r", "w" + value, "c" + value + ">" + random.nextInt(4))
                        .get(random.nextInt(3));
                started[caller] = time;
            } else if (output[caller] == null) {
                int now = state;
                String asked = input[caller];
                output[caller] = List.of(String.valueOf(now), "ok", "no").stream()
                        .filter(told -> REGISTER.after(now, asked, told).isPresent())
                        .findFirst()
                        .orElseThrow();
                state = REGISTER.after(now, asked, output[caller]).orElseThrow();
            } else {
                boolean lost = random.nextInt(6) == 0;
                calls.add(new Call<>(
                        "caller " + caller,
                        input[caller],
                        started[caller],
                        lost ? Call.NEVER : time,
                        lost ? Optional.empty() : Optional.of(output[caller])));
                input[caller] = null;
                output[caller] = null;
                left[caller]--;
            }
        }
        return calls;
    }
}
