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
import java.util.Set;
import java.util.TreeSet;

/**
 * What a parent knows from the lines of its children, killed ones included: how each thing stands for certain, and how
 * it may stand because something was asked and not answered.
 *
 * <p>The lines: {@code asked N one} (atomic) or {@code asked N many}, then tab-separated {@code thing=value};
 * {@code asked N handout TOPIC}; {@code promised N} with things; {@code epoch SCOPE N}; {@code number TOPIC N thing};
 * {@code wrong} with an answer that no rule allows.
 */
final class Ledger {
    static final String ABSENT = "absent";
    static final String SETTLED = "settled";
    static final String DEAD = "dead";

    /** One call that has no answer. */
    record Asked(boolean atomic, Map<String, String> things) {}

    private final Map<String, String> sure = new HashMap<>();
    private final Map<String, Asked> asked = new LinkedHashMap<>();
    private final Map<String, String> handingOut = new HashMap<>();
    private final Map<String, Long> lowest = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, String> numbers = new HashMap<>();
    private final Set<String> unanswered = new HashSet<>();
    private long answers;

    /** How many operations were answered. */
    long answers() {
        return answers;
    }

    void read(String line) {
        String[] parts = line.split("\t", -1);
        String[] words = parts[0].split(" ", -1);
        switch (words[0]) {
            case "asked" -> ask(words, parts);
            case "promised" -> promise(words[1], things(parts));
            case "epoch" -> epoch(words[1], Long.parseLong(words[2]));
            case "number" -> number(words[1] + " " + words[2], words[3]);
            case "opened" -> {}
            default -> throw new AssertionError(line);
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
        asked.put(words[1], new Asked(words[2].equals("one"), things));
    }

    private void promise(String number, Map<String, String> things) {
        answers++;
        asked.remove(number);
        handingOut.remove(number);
        things.forEach((thing, value) -> {
            if (isCount(thing)) {
                lowest.merge(thing, Long.parseLong(value), Math::max);
            } else if (rank(value) >= rank(sure(thing))) {
                sure.put(thing, value);
            }
        });
    }

    /** Answers of two calls may be told in another order than they were given: a hand-out and the nack before it. */
    private static int rank(String value) {
        if (value.startsWith("open ")) {
            String[] words = value.split(" ", -1);
            return 1 + Integer.parseInt(words[1]) + Integer.parseInt(words[2]);
        }
        return switch (value) {
            case ABSENT -> 0;
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
        return Set.copyOf(lowest.keySet());
    }

    /** All that were asked for or promised, of a kind. */
    Set<String> things(String kind) {
        Set<String> things = new TreeSet<>(sure.keySet());
        asked.values().forEach(call -> things.addAll(call.things().keySet()));
        things.removeIf(thing -> !thing.startsWith(kind + "/"));
        return things;
    }

    List<Asked> open() {
        return List.copyOf(asked.values());
    }

    /** Every way in which a thing may stand. */
    Set<String> allowed(String thing) {
        Set<String> allowed = new HashSet<>();
        allowed.add(sure(thing));
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
    void settle(Map<String, String> found, Map<String, Long> counts) {
        Set<String> all = new HashSet<>(sure.keySet());
        asked.values().forEach(call -> all.addAll(call.things().keySet()));
        for (String thing : all) {
            String seen = found.get(thing);
            if (seen != null) {
                sure.put(thing, seen);
            } else if (allowed(thing).contains(SETTLED)) {
                sure.put(thing, SETTLED);
            }
        }
        counts.forEach((count, value) -> lowest.merge(count, value, Math::max));
        unanswered.clear();
        asked.values().forEach(call -> unanswered.addAll(call.things().keySet()));
        asked.clear();
        handingOut.clear();
    }

    /** Of a kind: what the last life asked for without an answer. */
    Set<String> unanswered(String kind) {
        Set<String> things = new TreeSet<>(unanswered);
        things.removeIf(thing -> !thing.startsWith(kind + "/"));
        return things;
    }

    /** In the order of their numbers. */
    static List<Long> offsets(Set<String> things) {
        List<Long> offsets = new ArrayList<>();
        things.forEach(thing -> offsets.add(Long.parseLong(thing.split("/", -1)[2])));
        offsets.sort(null);
        return offsets;
    }
}
