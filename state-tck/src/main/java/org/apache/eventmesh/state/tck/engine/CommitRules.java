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
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.applied;
import static org.apache.eventmesh.state.tck.engine.EngineRules.delete;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.value;
import static org.apache.eventmesh.state.tck.engine.EngineRules.when;
import static org.assertj.core.api.Assertions.assertThat;

/** The one thing an engine must be able to do: compare revisions and change keys in one atomic step. */
public interface CommitRules extends EngineRules {
    @Test
    default void required_ENG_all_changes_of_a_commit_are_made_under_one_revision() {
        apply(engine(), always(put("gone", "0")));
        long revision = apply(engine(), always(put("a", "1"), put("b", "2"), delete("gone")));
        assertThat(scan(engine(), ALL, 10))
                .containsExactly(new Entry(key("a"), value("1"), revision), new Entry(key("b"), value("2"), revision));
    }

    @Test
    default void required_E03_nothing_is_changed_when_one_of_several_conditions_does_not_hold() {
        long a = apply(engine(), always(put("a", "1")));
        long b = apply(engine(), always(put("b", "1")));
        Commit commit = new Commit(
                List.of(new Condition(key("a"), a), new Condition(key("b"), a), Condition.absent(key("c"))),
                List.of(put("a", "2"), put("b", "2"), put("c", "2")));

        List<Entry> current = refused(engine(), commit);

        assertThat(current)
                .containsExactlyInAnyOrder(new Entry(key("a"), value("1"), a), new Entry(key("b"), value("1"), b));
        assertThat(scan(engine(), ALL, 10)).containsExactlyInAnyOrderElementsOf(current);
    }

    @Test
    default void required_ENG_a_condition_holds_for_exactly_the_last_revision_of_its_key() {
        long first = apply(engine(), always(put("a", "1")));
        long second = apply(engine(), when(new Condition(key("a"), first), put("a", "2")));

        refused(engine(), when(new Condition(key("a"), first), put("a", "3")));
        refused(engine(), when(new Condition(key("a"), second + 1), put("a", "3")));
        refused(engine(), when(Condition.absent(key("a")), put("a", "3")));
        apply(engine(), when(new Condition(key("a"), second), put("a", "3")));

        assertThat(text(engine(), "a")).contains("3");
    }

    @Test
    default void required_ENG_the_absent_condition_holds_before_the_first_put_and_after_a_delete() {
        assertThat(refused(engine(), when(new Condition(key("a"), 1), put("a", "0"))))
                .isEmpty();
        apply(engine(), when(Condition.absent(key("a")), put("a", "1")));
        refused(engine(), when(Condition.absent(key("a")), put("a", "2")));
        apply(engine(), always(delete("a")));
        apply(engine(), when(Condition.absent(key("a")), put("a", "3")));
        assertThat(text(engine(), "a")).contains("3");
    }

    @Test
    default void required_ENG_a_key_that_was_deleted_and_put_again_has_another_revision() {
        long before = apply(engine(), always(put("a", "same")));
        apply(engine(), always(delete("a")));
        long after = apply(engine(), always(put("a", "same")));

        assertThat(after).isGreaterThan(before);
        refused(engine(), when(new Condition(key("a"), before), put("a", "lost")));
    }

    @Test
    default void required_ENG_a_put_of_the_same_value_is_a_change() {
        long before = apply(engine(), always(put("a", "same")));
        long after = apply(engine(), always(put("a", "same")));
        assertThat(read(engine(), "a").orElseThrow().revision())
                .isEqualTo(after)
                .isGreaterThan(before);
    }

    @Test
    default void required_ENG_a_delete_may_be_conditional_and_of_an_absent_key() {
        long revision = apply(engine(), always(put("a", "1"), delete("never there")));
        refused(engine(), when(Condition.absent(key("a")), delete("a")));
        apply(engine(), when(new Condition(key("a"), revision), delete("a")));
        assertThat(read(engine(), "a")).isEmpty();
    }

    @Test
    default void required_ENG_a_condition_may_guard_keys_that_are_not_changed() {
        long guard = apply(engine(), always(put("guard", "1")));
        apply(engine(), when(new Condition(key("guard"), guard), put("a", "1")));
        apply(engine(), always(put("guard", "2")));
        refused(engine(), when(new Condition(key("guard"), guard), put("a", "2")));
        assertThat(text(engine(), "a")).contains("1");
    }

    @Test
    default void required_ENG_a_commit_without_changes_only_checks() {
        long revision = apply(engine(), always(put("a", "1")));
        for (Durability level : Durability.values()) {
            long seen = applied(get(engine().commit(List.of(when(new Condition(key("a"), revision))), level)
                    .get(0)));
            // it makes no revision of its own; where other processes write, theirs may be seen
            if (engines().kit().has(Capability.MULTI_PROCESS)) {
                assertThat(seen).isGreaterThanOrEqualTo(revision);
            } else {
                assertThat(seen).isEqualTo(revision);
            }
        }
        assertThat(refused(engine(), when(Condition.absent(key("a"))))).hasSize(1);
        assertThat(read(engine(), "a").orElseThrow().revision()).isEqualTo(revision);
        assertThat(engine().syncedRevision()).isGreaterThanOrEqualTo(revision);
    }

    @Test
    default void required_ENG_each_commit_of_a_call_is_decided_by_itself() {
        long a = apply(engine(), always(put("a", "1"), put("b", "1"), put("shared", "1")));
        List<CompletionStage<CommitResult>> fates = engine().commit(
                        List.of(
                                when(new Condition(key("shared"), a), put("a", "2"), put("c", "2")),
                                when(new Condition(key("b"), a + 1), put("b", "2"), put("d", "2")),
                                when(new Condition(key("shared"), a), put("e", "2")),
                                when(Condition.absent(key("shared")), put("f", "2")),
                                always(delete("g"))),
                        Durability.DISK);

        assertThat(fates).hasSize(5);
        applied(get(fates.get(0)));
        assertThat(get(fates.get(1))).isEqualTo(new CommitResult.Refused(List.of(new Entry(key("b"), value("1"), a))));
        applied(get(fates.get(2)));
        assertThat(get(fates.get(3)))
                .isEqualTo(new CommitResult.Refused(List.of(new Entry(key("shared"), value("1"), a))));
        applied(get(fates.get(4)));
        assertThat(scan(engine(), ALL, 10))
                .extracting(
                        entry -> entry.key().toUtf8().strip() + entry.value().toUtf8())
                .containsExactly("a2", "b1", "c2", "e2", "shared1");
    }

    @Test
    default void required_ENG_a_call_without_commits_is_answered_with_nothing() {
        assertThat(engine().commit(List.of(), Durability.DISK)).isEmpty();
    }
}
