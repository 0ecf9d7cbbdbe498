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

import java.util.List;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.delete;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.when;
import static org.assertj.core.api.Assertions.assertThat;

/** Revisions only grow, as long as the data set lives; the incarnation says which life it is. */
public interface RevisionRules extends EngineRules {
    @Test
    default void required_ENG_revisions_ascend_also_across_deletes() {
        long last = Condition.ABSENT;
        for (int i = 0; i < 20; i++) {
            long put = apply(engine(), always(put("a", "v")));
            long deleted = apply(engine(), always(delete("a")));
            assertThat(put).isGreaterThan(last);
            assertThat(deleted).isGreaterThan(put);
            last = deleted;
        }
    }

    @Test
    default void required_ENG_a_refused_commit_leaves_the_entries_and_their_revisions() {
        long before = apply(engine(), always(put("a", "1")));
        refused(engine(), when(Condition.absent(key("a")), put("a", "2"), put("b", "2")));
        assertThat(scan(engine(), ALL, 10)).extracting(Entry::revision).containsExactly(before);
    }

    @Test
    default void required_ENG_a_scan_tells_a_revision_that_covers_all_that_was_answered_before() {
        for (int i = 0; i < 20; i++) {
            long revision = apply(engine(), always(put("a" + i, "v")));
            assertThat(get(engine().scan(ALL, 1)).revision()).isGreaterThanOrEqualTo(revision);
        }
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_ENG_entries_and_revisions_stay_when_the_place_is_reopened() {
        apply(engine(), always(put("a", "1"), put("gone", "1")));
        apply(engine(), always(put("b", "2")));
        long last = apply(engine(), always(delete("gone")));
        List<Entry> before = scan(engine(), ALL, 10);

        engines().reopen();

        assertThat(scan(engine(), ALL, 10)).isEqualTo(before);
        assertThat(get(engine().scan(ALL, 1)).revision()).isGreaterThanOrEqualTo(last);
        assertThat(apply(engine(), always(put("gone", "2")))).isGreaterThan(last);
        Entry b = before.get(1);
        apply(engine(), when(Condition.unchanged(b), put("b", "3")));
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_ENG_the_incarnation_stays_when_the_place_is_reopened() {
        String before = engine().incarnation();
        assertThat(before).isNotEmpty();
        engines().reopen();
        assertThat(engine().incarnation()).isEqualTo(before);
    }

    @Test
    @Lacks(Capability.DURABLE)
    default void required_ENG_what_is_not_durable_reopens_empty_in_a_new_incarnation() {
        String before = engine().incarnation();
        assertThat(before).isNotEmpty();
        apply(engine(), always(put("a", "1")));
        engines().reopen();
        assertThat(engine().incarnation()).isNotEqualTo(before);
        assertThat(scan(engine(), ALL, 10)).isEmpty();
    }
}
