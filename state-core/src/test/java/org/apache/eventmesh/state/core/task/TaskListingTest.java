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
package org.apache.eventmesh.state.core.task;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.world.Instance;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Listing and retention, over records that are put there by hand. */
class TaskListingTest {
    private final World world = new World();
    private final Instance a = world.instance("a");

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void required_T06_lists_by_agent_context_parent_and_state() {
        put("1", "x", "c", "p", TaskState.WORKING, 100);
        put("2", "x", "d", null, TaskState.COMPLETED, 100);
        put("3", "y", "c", null, TaskState.WORKING, 100);
        put("4", "y", null, "p", TaskState.SUBMITTED, 100);

        assertListed(TaskFilter.all(), "1", "2", "3", "4");
        assertListed(TaskFilter.all().in(TaskState.WORKING), "1", "3");
        assertListed(TaskFilter.agent(new AgentId("x")), "1", "2");
        assertListed(TaskFilter.agent(new AgentId("x")).in(TaskState.WORKING), "1");
        assertListed(TaskFilter.context("c"), "1", "3");
        assertListed(TaskFilter.context("c").in(TaskState.COMPLETED));
        assertListed(TaskFilter.context("d").in(TaskState.COMPLETED), "2");
        assertListed(TaskFilter.parent(new TaskId("p")), "1", "4");
        assertListed(TaskFilter.parent(new TaskId("p")).in(TaskState.SUBMITTED), "4");
        assertListed(TaskFilter.agent(new AgentId("z")));
    }

    @Test
    void required_G05_names_that_collide_when_joined_naively_do_not_meet() {
        List<String> names = List.of("a", "a\0", "a\0b", "ab", "a/b", "a\n", "😀", "b");
        for (String name : names) {
            for (String other : names) {
                put(name + "|" + other, name, other, other, TaskState.WORKING, 100);
            }
        }

        for (String name : names) {
            assertThat(listed(TaskFilter.agent(new AgentId(name))))
                    .hasSize(names.size())
                    .allMatch(id -> id.startsWith(name + "|"));
            assertThat(listed(TaskFilter.context(name).in(TaskState.WORKING)))
                    .hasSize(names.size())
                    .allMatch(id -> id.endsWith("|" + name));
            assertThat(listed(TaskFilter.parent(new TaskId(name)))).hasSize(names.size());
        }
    }

    @Test
    void required_G12_a_task_that_keeps_its_path_is_listed_once_while_states_change() {
        for (int i = 0; i < 40; i++) {
            put("%03d".formatted(i), "x", null, null, TaskState.SUBMITTED, 100);
        }
        List<String> all = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(PageRequest.first(7));
        while (next.isPresent()) {
            Page<Task> page = Await.result(a.tasks.list(TaskFilter.agent(new AgentId("x")), next.get()));
            page.items().forEach(task -> all.add(task.id().value()));
            next = page.next();
            for (int i = 0; i < 40; i += 3) {
                move("%03d".formatted(i), TaskState.WORKING, 200);
            }
            put("new" + all.size(), "x", null, null, TaskState.SUBMITTED, 300);
        }

        assertThat(all).doesNotHaveDuplicates().contains("000", "013", "039");
        assertThat(all.stream().filter(id -> !id.startsWith("new"))).hasSize(40);
    }

    @Test
    void required_G08_a_damaged_task_is_named_and_hides_no_other() {
        put("1", "x", null, null, TaskState.WORKING, 100);
        put("2", "x", null, null, TaskState.WORKING, 100);
        world.map.put(TaskKey.bytes(new TaskId("1")), World.DAMAGED);

        for (TaskFilter filter :
                List.of(TaskFilter.all(), TaskFilter.agent(new AgentId("x")).in(TaskState.WORKING))) {
            Page<Task> page = Await.result(a.tasks.list(filter, PageRequest.first(10)));
            assertThat(page.items()).extracting(task -> task.id().value()).containsExactly("2");
            assertThat(page.unreadable()).hasSize(1);
            assertThat(page.unreadable().get(0).key()).isEqualTo("TASK(task \"1\")");
        }
    }

    @Test
    void required_T07_idle_unfinished_tasks_are_reported_longest_first() {
        put("1", "x", null, null, TaskState.WORKING, 300);
        put("2", "x", null, null, TaskState.SUBMITTED, 100);
        put("3", "x", null, null, TaskState.COMPLETED, 50);
        put("4", "x", null, null, TaskState.INPUT_REQUIRED, 200);

        assertThat(stalled(300)).containsExactly("2", "4");
        move("2", TaskState.WORKING, 400);
        assertThat(stalled(301)).containsExactly("4", "1");
        assertThat(stalled(10_000)).containsExactly("4", "1", "2");
    }

    @Test
    void required_T07_retention_removes_final_tasks_only_bounded_and_resumable() {
        for (int i = 0; i < 30; i++) {
            put("f" + i, "x", "c", "p", TaskState.FAILED, 100 + i);
            put("w" + i, "x", "c", "p", TaskState.WORKING, 100 + i);
        }

        assertThat(purge(125, 20)).isEqualTo(new Swept(20, true));
        assertThat(purge(125, 20)).isEqualTo(new Swept(5, false));
        assertThat(purge(125, 20)).isEqualTo(new Swept(0, false));
        assertThat(listed(TaskFilter.all())).hasSize(35);
        assertThat(listed(TaskFilter.context("c").in(TaskState.FAILED)))
                .containsExactlyInAnyOrder("f25", "f26", "f27", "f28", "f29");
        assertThat(stalled(10_000)).hasSize(30);
    }

    @Test
    void required_T07_what_moves_meanwhile_is_not_removed_and_purges_that_meet_remove_once() {
        for (int i = 0; i < 100; i++) {
            put("f%03d".formatted(i), "x", null, null, TaskState.REJECTED, 100 + i);
        }
        List<CompletableFuture<Swept>> purges = Stream.of(1, 2, 3)
                .map(i -> a.tasks.purge(Instant.ofEpochMilli(10_000), 1_000).toCompletableFuture())
                .toList();

        assertThat(purges.stream().mapToLong(swept -> swept.join().count()).sum())
                .isEqualTo(100);
        assertThat(listed(TaskFilter.all())).isEmpty();
        assertThat(Await.result(world.map.scan(TaskKey.changedBefore(true, Long.MAX_VALUE), 10))
                        .entries())
                .isEmpty();
    }

    @Test
    void required_T07_the_ownership_of_a_removed_task_ends_with_it() {
        put("f", "x", null, null, TaskState.FAILED, 100);
        OwnedTask owned =
                Await.result(a.tasks.claim(a.member, new TaskId("f"))).claimed().orElseThrow();
        assertThat(world.map.get(OwnerKeys.holder(new TaskId("f")))).isPresent();

        assertThat(purge(10_000, 10)).isEqualTo(new Swept(1, false));
        assertThat(world.map.get(OwnerKeys.holder(new TaskId("f")))).isEmpty();
        assertThat(Await.result(owned.lost()).current()).isEmpty();
    }

    private void put(String id, String agent, String context, String parent, TaskState state, long changedAt) {
        NewTask task = new NewTask(
                new TaskId(id),
                new AgentId(agent),
                Optional.ofNullable(context),
                Optional.ofNullable(parent).map(TaskId::new),
                Bytes.utf8("in"),
                Attributes.NONE);
        TaskWrite created = TaskRecords.created(
                task,
                new DeliveryId(new Partition("tasks", 0), "map", 1),
                Subscriber.group("agents"),
                state == TaskState.SUBMITTED ? changedAt : 1);
        commit(created);
        if (state != TaskState.SUBMITTED) {
            move(id, state, changedAt);
        }
    }

    private void move(String id, TaskState state, long at) {
        TaskRecord record = Records.TASK
                .decode(world.map.get(TaskKey.bytes(new TaskId(id))).orElseThrow())
                .record();
        commit(TaskMoves.moved(new TaskId(id), record, TaskChange.to(state), at));
    }

    private void commit(TaskWrite write) {
        Await.result(world.engine
                .commit(List.of(new Commit(List.of(), write.changes())), Durability.DISK)
                .get(0));
    }

    private List<String> listed(TaskFilter filter) {
        List<String> all = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(PageRequest.first(3));
        while (next.isPresent()) {
            Page<Task> page = Await.result(a.tasks.list(filter, next.get()));
            page.items().forEach(task -> all.add(task.id().value()));
            next = page.next();
        }
        return all;
    }

    private void assertListed(TaskFilter filter, String... expected) {
        assertThat(listed(filter)).containsExactly(expected);
    }

    private List<String> stalled(long since) {
        return Await.result(a.tasks.stalled(Instant.ofEpochMilli(since), PageRequest.first(100))).items().stream()
                .map(task -> task.id().value())
                .toList();
    }

    private Swept purge(long until, int limit) {
        return Await.result(a.tasks.purge(Instant.ofEpochMilli(until), limit));
    }
}
