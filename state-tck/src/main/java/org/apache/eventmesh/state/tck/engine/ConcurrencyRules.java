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
package org.apache.eventmesh.state.tck.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.applied;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.value;
import static org.assertj.core.api.Assertions.assertThat;

/** Many threads at once. */
public interface ConcurrencyRules extends EngineRules {
    @Test
    default void required_G01_a_commit_is_visible_to_every_thread_once_it_is_answered() {
        try (Threads threads = new Threads()) {
            for (int i = 0; i < 50; i++) {
                String text = "v" + i;
                long revision = apply(engine(), always(put("a", text)));
                Entry expected = new Entry(key("a"), value(text), revision);
                threads.run(() -> assertThat(read(engine(), "a")).contains(expected));
                threads.run(() -> assertThat(scan(engine(), ALL, 10)).containsExactly(expected));
                threads.await();
            }
        }
    }

    @Test
    default void required_G01_conditional_increments_of_eight_threads_lose_none() {
        Set<Long> revisions = ConcurrentHashMap.newKeySet();
        try (Threads threads = new Threads()) {
            for (int i = 0; i < 8; i++) {
                threads.run(() -> {
                    for (int n = 0; n < 40; n++) {
                        assertThat(revisions.add(increment())).isTrue();
                    }
                });
            }
            threads.await();
        }
        assertThat(text(engine(), "counter")).contains("320");
        assertThat(revisions).hasSize(320);
    }

    private long increment() {
        Optional<Entry> current = read(engine(), "counter");
        while (true) {
            Condition condition = current.map(Condition::unchanged).orElse(Condition.absent(key("counter")));
            long next =
                    current.map(entry -> Long.parseLong(entry.value().toUtf8())).orElse(0L) + 1;
            CommitResult result = commit(engine(), EngineRules.when(condition, put("counter", String.valueOf(next))));
            if (result instanceof CommitResult.Refused refused) {
                current = refused.current().stream().findFirst();
            } else {
                return applied(result);
            }
        }
    }

    @Test
    default void required_ENG_one_of_many_who_put_an_absent_key_wins() {
        for (int round = 0; round < 10; round++) {
            String name = "k" + round;
            Set<String> winners = ConcurrentHashMap.newKeySet();
            try (Threads threads = new Threads()) {
                for (int i = 0; i < 8; i++) {
                    String mine = "w" + i;
                    threads.run(() -> {
                        if (commit(engine(), EngineRules.when(Condition.absent(key(name)), put(name, mine)))
                                instanceof CommitResult.Applied) {
                            winners.add(mine);
                        }
                    });
                }
                threads.await();
            }
            assertThat(winners).hasSize(1);
            assertThat(text(engine(), name)).contains(winners.iterator().next());
        }
    }

    @Test
    default void required_X01_a_scan_sees_a_commit_whole_or_not_at_all() {
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
        apply(engine(), all(names, "0"));
        AtomicBoolean done = new AtomicBoolean();
        try (Threads threads = new Threads()) {
            threads.run(() -> {
                while (!done.get()) {
                    assertThat(get(engine().scan(ALL, 100)).entries().stream()
                                    .map(Entry::value)
                                    .collect(Collectors.toSet()))
                            .hasSize(1);
                }
            });
            for (int i = 1; i <= 200; i++) {
                apply(engine(), all(names, String.valueOf(i)));
            }
            done.set(true);
            threads.await();
        }
    }

    @Test
    default void required_X01_a_read_sees_a_commit_whole_or_not_at_all() {
        // on both sides of any border between kinds of keys
        List<Bytes> keys = IntStream.range(1, 240)
                .filter(i -> i % 12 == 0)
                .mapToObj(i -> Bytes.of((byte) i, (byte) 'k'))
                .toList();
        apply(engine(), same(keys, "0"));
        AtomicBoolean done = new AtomicBoolean();
        try (Threads threads = new Threads()) {
            threads.run(() -> {
                while (!done.get()) {
                    assertThat(get(engine().read(keys)).stream()
                                    .map(Entry::value)
                                    .collect(Collectors.toSet()))
                            .hasSize(1);
                }
            });
            for (int i = 1; i <= 200; i++) {
                apply(engine(), same(keys, String.valueOf(i)));
            }
            done.set(true);
            threads.await();
        }
    }

    private static Commit same(List<Bytes> keys, String value) {
        return always(
                keys.stream().map(key -> Change.put(key, Bytes.utf8(value))).toArray(Change[]::new));
    }

    private static Commit all(List<String> names, String value) {
        return always(names.stream().map(name -> put(name, value)).toArray(Change[]::new));
    }

    @Test
    default void required_ENG_calls_with_many_commits_from_many_threads_keep_each_commit_apart() {
        try (Threads threads = new Threads()) {
            for (int i = 0; i < 4; i++) {
                String mine = "t" + i + "-";
                threads.run(() -> {
                    for (int round = 0; round < 10; round++) {
                        oneCall(mine, round);
                    }
                });
            }
            threads.await();
        }
        assertThat(scan(engine(), ALL, 1000)).hasSize(4 * 30 * 2);
    }

    /** Thirty commits of two keys each; the even ones are refused in every round but the first. */
    private void oneCall(String mine, int round) {
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String name = mine + i;
            commits.add(new Commit(
                    i % 2 == 0 ? List.of(Condition.absent(key(name))) : List.of(),
                    List.of(put(name, "r" + round), put(name + "'", "r" + round))));
        }
        List<CompletionStage<CommitResult>> fates = engine().commit(commits, Durability.PROCESS);
        assertThat(fates).hasSize(30);
        for (int i = 0; i < 30; i++) {
            boolean refused = i % 2 == 0 && round > 0;
            assertThat(get(fates.get(i)))
                    .isInstanceOf(refused ? CommitResult.Refused.class : CommitResult.Applied.class);
            String expected = refused ? "r0" : "r" + round;
            assertThat(text(engine(), mine + i)).contains(expected);
            assertThat(text(engine(), mine + i + "'")).contains(expected);
        }
    }
}
