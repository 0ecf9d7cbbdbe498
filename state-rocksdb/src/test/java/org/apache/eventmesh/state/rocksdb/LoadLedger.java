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
package org.apache.eventmesh.state.rocksdb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** What the lives of a {@link LoadChild} asked for and were promised, and whether the next one finds just that. */
final class LoadLedger {
    private static final String WHOLE = " .";
    private static final int LONGEST = 1_000;

    private final BitSet settling = new BitSet();
    private final BitSet settled = new BitSet();
    private final BitSet open = new BitSet();
    private final List<int[]> memory = new ArrayList<>();
    private final List<Integer> claimed = new ArrayList<>();
    private int opening;
    private int opened;
    private boolean done;
    /** What is no line of the child: how it failed, and the one that the kill has cut. */
    private final StringBuilder otherwise = new StringBuilder();

    /** Before the lines of a life. */
    void begins() {
        open.clear();
        otherwise.setLength(0);
        done = false;
    }

    void read(String line) {
        if (!line.endsWith(WHOLE)) {
            otherwise.append(line, 0, Math.min(line.length(), LONGEST)).append('\n');
            return;
        }
        String[] words = line.substring(0, line.length() - WHOLE.length()).split(" ", -1);
        switch (words[0]) {
            case "open" -> offsets(words[1]).forEach(open::set);
            case "found" -> check(Integer.parseInt(words[1]));
            case "opening" -> opening = Math.max(opening, Integer.parseInt(words[1]));
            case "opened" -> opened = Math.max(opened, Integer.parseInt(words[1]));
            case "given" ->
                offsets(words[1])
                        .forEach(offset -> assertThat(settling.get(offset))
                                .as("%d is handed out after its acknowledgement", offset)
                                .isFalse());
            case "settling" -> offsets(words[1]).forEach(settling::set);
            case "settled" -> offsets(words[1]).forEach(settled::set);
            case "memory" -> memory.add(new int[] {Integer.parseInt(words[1]), Integer.parseInt(words[2])});
            case "claimed" -> claimed.add(Integer.parseInt(words[1]));
            case "done" -> done = true;
            default -> throw new AssertionError("the child says: " + line);
        }
    }

    private static IntStream offsets(String listed) {
        return listed.isEmpty() ? IntStream.empty() : IntStream.of(parse(listed.split(",", -1)));
    }

    private static int[] parse(String[] numbers) {
        int[] parsed = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            parsed[i] = Integer.parseInt(numbers[i]);
        }
        return parsed;
    }

    /** Every message before the cursor is open, or its acknowledgement was asked for; what was promised is so. */
    private void check(int cursor) {
        assertThat(cursor).as("the cursor").isBetween(opened, opening);
        assertThat(open.length()).as("behind the last open one").isLessThanOrEqualTo(cursor);
        BitSet back = (BitSet) open.clone();
        back.and(settled);
        assertThat(back).as("settled, and open again").isEqualTo(new BitSet());
        BitSet lost = new BitSet();
        lost.set(0, cursor);
        lost.andNot(open);
        lost.andNot(settling);
        assertThat(lost).as("lost").isEqualTo(new BitSet());
        // what was asked for without an answer is settled now, or it was not and will be asked for again
        settled.set(0, cursor);
        settled.andNot(open);
        settling.clear();
        settling.or(settled);
        opened = cursor;
        opening = cursor;
    }

    boolean done() {
        return done;
    }

    /** Milliseconds, of each life. */
    List<Integer> claimed() {
        return claimed;
    }

    String otherwise() {
        return otherwise.toString();
    }

    int settled() {
        return settled.cardinality();
    }

    int openings() {
        return opened;
    }

    /** Kilobytes at a point of each life. */
    List<Integer> memory(int point) {
        return memory.stream().filter(at -> at[0] == point).map(at -> at[1]).toList();
    }
}
