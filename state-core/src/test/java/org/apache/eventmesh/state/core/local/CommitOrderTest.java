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
package org.apache.eventmesh.state.core.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.WatchEvent.Changed;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Any interleaving of handing over, applying and answering, against the plain truth. */
class CommitOrderTest {
    private static final int STEPS = 2_000;
    private static final HistoryBounds PLENTY = new HistoryBounds(100_000, 1 << 30);

    private record UnderWay(long number, long revision) {}

    @RepeatedTest(50)
    void whatIsPublishedIsOrderedWithoutGapsAndNothingIsLeftOut(RepetitionInfo repetition) {
        List<Long> made = new ArrayList<>();
        Random random = new Random(repetition.getCurrentRepetition());
        History history = new History(PLENTY);
        history.beginAt(0);
        CommitOrder order = new CommitOrder(history, PLENTY);
        List<List<Long>> calls = new ArrayList<>();
        List<UnderWay> applied = new ArrayList<>();
        Set<Long> unanswered = new HashSet<>();
        long revision = 0;
        for (int step = 0; step < STEPS || !calls.isEmpty() || !applied.isEmpty(); step++) {
            int choice = random.nextInt(3);
            if (choice == 0 && step < STEPS) {
                calls.add(Stream.generate(order::handOver)
                        .limit(1 + random.nextInt(3))
                        .toList());
            } else if (choice == 1 && !calls.isEmpty()) {
                boolean together = random.nextBoolean();
                revision++;
                for (long number : calls.remove(random.nextInt(calls.size()))) {
                    if (random.nextInt(5) == 0) {
                        order.notApplied(number);
                    } else {
                        applied.add(new UnderWay(number, revision));
                        unanswered.add(revision);
                        made.add(revision);
                        revision += together ? 0 : 1;
                    }
                }
            } else if (choice == 2 && !applied.isEmpty()) {
                UnderWay next = applied.remove(random.nextInt(applied.size()));
                if (applied.stream().noneMatch(other -> other.revision() == next.revision())) {
                    unanswered.remove(next.revision());
                }
                order.applied(next.number(), next.revision(), List.of(put("k" + next.number(), "v")));
            }
            long reached = history.reached();
            assertThat(unanswered).as("not answered, so not published").allMatch(open -> open > reached);
        }

        List<Long> published = history.after(0, Integer.MAX_VALUE).orElseThrow().changes().stream()
                .map(Changed::revision)
                .toList();
        assertThat(published).isEqualTo(made);
        assertThat(history.reached()).isEqualTo(made.get(made.size() - 1));
    }
}
