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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commits with numbers from 1 on. The contents after each are known and differ from those after every other: so what is
 * found in a database tells how many of them are there, or that it is no clean prefix of them.
 *
 * @param open how many keys are there at a time: each commit puts one and deletes the oldest
 * @param longest of a value, in characters
 */
record NumberedCommits(int open, int longest) {
    private static final Bytes COUNT = Engines.small("count");
    private static final KeyRange ALL = new KeyRange(Bytes.EMPTY, Bytes.of((byte) 0xFF));
    private static final int PAGE = 1_000;

    Commit commit(int number) {
        return new Commit(
                List.of(),
                List.of(
                        Change.put(COUNT, Bytes.utf8(Integer.toString(number))),
                        Change.put(key(number), Bytes.utf8(value(number))),
                        Change.delete(key(number - open))));
    }

    /** How many of the commits are there, as reads, scans and the revisions in them say alike. */
    int found(Engine engine) {
        Map<Bytes, Entry> scanned = scan(engine);
        int last = Optional.ofNullable(scanned.get(COUNT))
                .map(entry -> Integer.parseInt(entry.value().toUtf8()))
                .orElse(0);
        Map<Bytes, String> expected = new HashMap<>();
        for (int number = Math.max(1, last - open + 1); number <= last; number++) {
            expected.put(key(number), value(number));
        }
        if (last > 0) {
            expected.put(COUNT, Integer.toString(last));
        }
        Map<Bytes, String> texts = new HashMap<>();
        scanned.forEach((key, entry) -> texts.put(key, entry.value().toUtf8()));
        assertThat(texts).as("the contents after commit %d", last).isEqualTo(expected);
        List<Bytes> asked = new ArrayList<>(expected.keySet());
        asked.add(key(last + 1));
        asked.add(key(last - open));
        List<Entry> read = Await.result(engine.read(asked));
        assertThat(read).containsExactlyInAnyOrderElementsOf(scanned.values());
        return last;
    }

    private static Map<Bytes, Entry> scan(Engine engine) {
        Map<Bytes, Entry> found = new HashMap<>();
        KeyRange rest = ALL;
        Slice slice;
        do {
            slice = Await.result(engine.scan(rest, PAGE));
            slice.entries().forEach(entry -> found.put(entry.key(), entry));
            rest = found.isEmpty()
                    ? rest
                    : rest.after(slice.entries().get(slice.entries().size() - 1).key());
        } while (slice.more());
        return found;
    }

    /** Used again by a later commit, so that what was deleted or overwritten would be seen if it came back. */
    private Bytes key(int number) {
        return Engines.inFlight("key-" + Math.floorMod(number, 2 * open));
    }

    private String value(int number) {
        return number + ":" + "v".repeat(Math.floorMod(number * 7919, longest));
    }
}
