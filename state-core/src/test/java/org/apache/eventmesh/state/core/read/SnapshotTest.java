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
package org.apache.eventmesh.state.core.read;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages are read while commits go on and events come late: what is published is a state that the table was in. */
class SnapshotTest {
    private static final int KEYS = 12;
    private static final int PAGE = 3;
    private static final KeyRange ALL = new KeyRange(Bytes.utf8("0"), Bytes.utf8("1"));

    private final List<NavigableMap<Bytes, Entry>> states = new ArrayList<>(List.of(new TreeMap<>()));
    private final List<WatchEvent.Changed> events = new ArrayList<>();

    /** Where the next page begins; empty when there is none. */
    private Optional<Bytes> next = Optional.of(key(0));

    @RepeatedTest(300)
    void it_is_a_state_that_the_table_was_in(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int i = random.nextInt(30); i > 0; i--) {
            commit(random);
        }
        events.clear();
        Snapshot snapshot = new Snapshot();
        boolean begun = false;
        int delivered = 0;
        Slice onItsWay = null;
        while (!snapshot.consistent()) {
            switch (random.nextInt(3)) {
                case 0 -> commit(random);
                case 1 -> {
                    if (onItsWay != null) {
                        snapshot.add(onItsWay);
                        onItsWay = null;
                    } else if (!begun) {
                        // changes before the first page are in it, and not in the watch
                        snapshot.add(page(next.orElseThrow()));
                        begun = true;
                        events.clear();
                        snapshot.reached(now());
                    } else if (next.isPresent()) {
                        onItsWay = page(next.get());
                    }
                }
                default -> {
                    if (begun && delivered < events.size()) {
                        WatchEvent.Changed event = events.get(delivered++);
                        snapshot.reached(event.revision() - 1);
                        if (!snapshot.consistent()) {
                            snapshot.add(event);
                        }
                    } else if (begun && random.nextBoolean()) {
                        snapshot.reached(now());
                    }
                }
            }
        }
        assertThat(snapshot.entries()).isEqualTo(states.get((int) snapshot.revision()));
    }

    private int now() {
        return states.size() - 1;
    }

    private void commit(Random random) {
        NavigableMap<Bytes, Entry> next = new TreeMap<>(states.get(states.size() - 1));
        long revision = states.size();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            Bytes key = key(random.nextInt(KEYS));
            Optional<Entry> now = random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(new Entry(key, Bytes.utf8("r" + revision), revision));
            now.ifPresentOrElse(entry -> next.put(key, entry), () -> next.remove(key));
            events.removeIf(event -> event.revision() == revision && event.key().equals(key));
            events.add(new WatchEvent.Changed(revision, key, now));
        }
        states.add(next);
    }

    /** As an engine scans: the first entries from there on, and whether there are more. */
    private Slice page(Bytes from) {
        NavigableMap<Bytes, Entry> rest = states.get(states.size() - 1).tailMap(from, true);
        List<Entry> entries = rest.values().stream().limit(PAGE).toList();
        boolean more = rest.size() > PAGE;
        next = more ? Optional.of(ALL.after(entries.get(PAGE - 1).key()).from()) : Optional.empty();
        return new Slice(entries, now(), more);
    }

    private static Bytes key(int i) {
        return Bytes.utf8("%03d".formatted(i));
    }
}
