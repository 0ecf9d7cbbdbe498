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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.eventmesh.state.value.Durability;

/**
 * What a parent knows from the lines of its children, killed ones included: how each thing stands for certain, and how
 * it may stand because something was asked and not answered.
 *
 * <p>The lines: {@code asked N one} (atomic) or {@code asked N many}, then tab-separated {@code thing=value};
 * {@code asked N handout TOPIC}; {@code promised N} with things; {@code epoch SCOPE N}; {@code number TOPIC N thing};
 * {@code watermark N}; {@code failed} with a failure; {@code wrong} with an answer that no rule allows. {@code late} before
 * one of them: the power has gone, and with it whoever could have heard an answer; what is asked may still be applied.
 *
 * <p>Where the power is lost at the level of processes, an answer is for certain only when another one that was asked for
 * later has been synced; until then it is {@link Late}.
 */
final class Ledger {
    static final String ABSENT = "absent";
    static final String SETTLED = "settled";
    static final String DEAD = "dead";
    static final String CONFIRMED = "confirmed";

    /** Settled, or not opened any more: the loss of power took one of the two. */
    static final String GONE = "gone";

    /**
     * One call that has no answer.
     *
     * @param line in which it was asked
     */
    record Asked(boolean atomic, Map<String, String> things, long line) {}

    /**
     * A promise that a loss of power may take.
     *
     * @param asked the line in which it was asked
     * @param promised the line in which it was answered
     */
    record Late(long asked, long promised, Map<String, String> things) {}

    private final Map<String, String> sure = new HashMap<>();
    private final Map<String, Asked> asked = new LinkedHashMap<>();
    private final List<Late> late = new ArrayList<>();
    private final Map<String, Long> lines = new HashMap<>();
    private final Map<String, String> handingOut = new HashMap<>();
    private final Map<String, Long> lowest = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, String> numbers = new HashMap<>();
    private final Set<String> unanswered = new HashSet<>();
    private final Set<String> toldComplete = new HashSet<>();
    private final boolean mayLose;
    private long line;
    private long watermark = -1;
    private long answers;
    private long lost;

    private Ledger(boolean mayLose) {
        this.mayLose = mayLose;
    }

    /** A kill takes nothing that was answered. */
    static Ledger ofKills() {
        return new Ledger(false);
    }

    /** At {@code PROCESS} a loss of power takes the end of what was answered. */
    static Ledger ofPowerLosses(Durability level) {
        return new Ledger(level == Durability.PROCESS);
    }

    /** How many answers were lost. */
    long lost() {
        return lost;
    }

    /** How many operations were answered. */
    long answers() {
        return answers;
    }

    void read(String said) {
        line++;
        if (said.startsWith(Life.LATE)) {
            readLate(said.substring(Life.LATE.length()));
            return;
        }
        String[] parts = said.split("\t", -1);
        String[] words = parts[0].split(" ", -1);
        switch (words[0]) {
            case "asked" -> {
                ask(words, parts);
                things(parts).forEach((thing, value) -> {
                    if (value.equals(CONFIRMED)) {
                        toldComplete.add(thing);
                    }
                });
            }
            case "promised" -> promise(words[1], things(parts));
            case "epoch" -> epoch(words[1], Long.parseLong(words[2]));
            case "number" -> number(words[1] + " " + words[2], words[3]);
            case "watermark" -> watermark = Math.max(watermark, Long.parseLong(words[1]));
            case "opened" -> {}
            default -> throw new AssertionError(said);
        }
    }

    /** Whatever is answered, was heard by nobody. */
    private void readLate(String asking) {
        String[] parts = asking.split("\t", -1);
        String[] words = parts[0].split(" ", -1);
        if (words[0].equals("asked")) {
            ask(words, parts);
        }
    }

    private static Map<String, String> things(String... parts) {
        Map<String, String> things = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int at = parts[i].indexOf('=');
            things.put(parts[i].substring(0, at), parts[i].substring(at + 1));
        }
        return things;
    }

    private void ask(String[] words, String... parts) {
        lines.put(words[1], line);
        if (words[2].equals("handout")) {
            handingOut.put(words[1], words[3]);
            return;
        }
        Map<String, String> things = things(parts);
        things.forEach((thing, value) -> {
            if (isCount(thing)) {
                highest.merge(thing, Long.parseLong(value), Math::max);
            }
        });
        asked.put(words[1], new Asked(words[2].equals("one"), things, line));
    }

    private void promise(String number, Map<String, String> things) {
        answers++;
        asked.remove(number);
        handingOut.remove(number);
        long begun = Objects.requireNonNull(lines.remove(number));
        if (mayLose && mayWait(things)) {
            late.add(new Late(begun, line, things));
            return;
        }
        if (syncs(things)) {
            // one log: what was answered before this was asked stands before it
            late.stream().filter(each -> each.promised() < begun).forEach(each -> keep(each.things()));
            late.removeIf(each -> each.promised() < begun);
        }
        keep(things);
    }

    /** Opens, hand-outs, settlements that leave no dead letter, advances, confirmations. */
    private static boolean mayWait(Map<String, String> things) {
        return things.entrySet().stream()
                .allMatch(each -> !each.getValue().equals(DEAD)
                        && (each.getKey().startsWith("delivery/")
                                || each.getKey().startsWith("fanout/")
                                || each.getKey().startsWith("position/"))
                        && !each.getKey().startsWith("delivery/" + Plan.TASKS.topic() + "/"));
    }

    /** What is no repetition, and so wrote something that is synced at any level. */
    private static boolean syncs(Map<String, String> things) {
        return things.entrySet().stream()
                .anyMatch(each -> each.getValue().equals(DEAD)
                        || each.getKey().startsWith("task/")
                        || each.getKey().startsWith("session/"));
    }

    private void keep(Map<String, String> things) {
        things.forEach((thing, value) -> {
            if (isCount(thing)) {
                lowest.merge(thing, Long.parseLong(value), Math::max);
            } else if (rank(value) >= rank(sure(thing))) {
                sure.put(thing, value);
            }
        });
    }

    /** Answers of two calls may be told in another order than they were given: a hand-out and the nack before it. */
    static int rank(String value) {
        if (value.startsWith("open ")) {
            String[] words = value.split(" ", -1);
            return 1 + Integer.parseInt(words[1]) + Integer.parseInt(words[2]);
        }
        return switch (value) {
            case ABSENT, GONE -> 0;
            case "open", "SUBMITTED" -> 1;
            case "WORKING" -> 2;
            default -> Integer.MAX_VALUE;
        };
    }

    private static boolean isCount(String thing) {
        return thing.startsWith("position/") || thing.startsWith("version/");
    }

    /** An ownership that somebody got now. */
    void epoch(String scope, long epoch) {
        Long before = epochs.put(scope, epoch);
        if (before != null && before >= epoch) {
            throw new AssertionError("epoch " + epoch + " of " + scope + " does not rise above " + before);
        }
    }

    /** A delivery number that was seen. */
    void number(String number, String thing) {
        String before = numbers.putIfAbsent(number, thing);
        if (before != null && !before.equals(thing)) {
            throw new AssertionError("delivery number " + number + " of " + thing + " was that of " + before);
        }
    }

    String sure(String thing) {
        return sure.getOrDefault(thing, ABSENT);
    }

    /** The highest that was promised; -1 when nothing was. */
    long atLeast(String count) {
        return lowest.getOrDefault(count, -1L);
    }

    /** The highest that was asked for. */
    long atMost(String count) {
        return Math.max(atLeast(count), highest.getOrDefault(count, -1L));
    }

    Set<String> counts() {
        Set<String> counts = new TreeSet<>(lowest.keySet());
        late.forEach(
                each -> each.things().keySet().stream().filter(Ledger::isCount).forEach(counts::add));
        return counts;
    }

    /** Whether somebody was told that a fan-out is complete, and confirmed it then. */
    boolean toldComplete(String fanOut) {
        return toldComplete.contains(fanOut);
    }

    /** The highest that somebody was told; -1 when nobody was. */
    long watermark() {
        return watermark;
    }

    /** All that were asked for or promised, of a kind. */
    Set<String> things(String kind) {
        Set<String> things = new TreeSet<>(sure.keySet());
        asked.values().forEach(call -> things.addAll(call.things().keySet()));
        late.forEach(call -> things.addAll(call.things().keySet()));
        things.removeIf(thing -> !thing.startsWith(kind + "/"));
        return things;
    }

    List<Asked> open() {
        return List.copyOf(asked.values());
    }

    List<Late> late() {
        return List.copyOf(late);
    }

    /** Every way in which a thing may stand. */
    Set<String> allowed(String thing) {
        Set<String> allowed = new HashSet<>();
        allowed.add(sure(thing));
        late.stream()
                .filter(call -> call.things().containsKey(thing))
                .forEach(call -> allowed.add(call.things().get(thing)));
        asked.values().stream()
                .filter(call -> call.things().containsKey(thing))
                .forEach(call -> allowed.add(call.things().get(thing)));
        if (handingOut.values().stream().anyMatch(topic -> thing.startsWith("delivery/" + topic + "/"))) {
            for (String value : List.copyOf(allowed)) {
                String[] words = value.split(" ", -1);
                if (value.endsWith(" waiting")) {
                    allowed.add(Plan.open(Integer.parseInt(words[1]) + 1, Integer.parseInt(words[2]), true));
                }
            }
        }
        return allowed;
    }

    /** What was unanswered is known now, and stays so. */
    void settle(Map<String, String> found, Map<String, Long> counts, long lostNow) {
        Set<String> all = new HashSet<>(sure.keySet());
        asked.values().forEach(call -> all.addAll(call.things().keySet()));
        late.forEach(call -> all.addAll(call.things().keySet()));
        for (String thing : all) {
            String seen = found.get(thing);
            if (seen != null) {
                sure.put(thing, seen);
            } else if (allowed(thing).contains(SETTLED)) {
                sure.put(thing, late.isEmpty() || sure(thing).equals(SETTLED) ? SETTLED : GONE);
            }
        }
        counts.forEach((count, value) -> lowest.merge(count, value, Math::max));
        unanswered.clear();
        asked.values().forEach(call -> unanswered.addAll(call.things().keySet()));
        late.forEach(call -> unanswered.addAll(call.things().keySet()));
        lost += lostNow;
        asked.clear();
        late.clear();
        lines.clear();
        handingOut.clear();
        toldComplete.clear();
    }

    /** Of a kind: what the last life asked for without an answer that is for certain. */
    Set<String> unanswered(String kind) {
        Set<String> things = new TreeSet<>(unanswered);
        things.removeIf(thing -> !thing.startsWith(kind + "/"));
        return things;
    }

    /** In the order of their numbers. */
    static List<Long> offsets(Set<String> things) {
        List<Long> offsets = new ArrayList<>();
        things.forEach(thing -> offsets.add(offset(thing)));
        offsets.sort(null);
        return offsets;
    }

    /** The number in a thing's name. */
    static long offset(String thing) {
        return Long.parseLong(thing.split("/", -1)[2]);
    }
}
