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
package org.apache.eventmesh.state.core.key;

import java.util.List;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TypedKeysTest {
    private static final List<String> NAMES =
            Names.NASTY.stream().filter(name -> !name.isEmpty()).toList();

    @Test
    void deliveries_come_back() {
        for (String name : NAMES) {
            for (DeliveryKind kind : DeliveryKind.values()) {
                DeliveryKey key = new DeliveryKey(
                        new Partition(name, 3), 1L << 40, kind, Long.MAX_VALUE, 9, Subscriber.single(name));
                assertThat(DeliveryKey.read(key.bytes())).isEqualTo(key);
            }
        }
    }

    @Test
    void deliveries_of_a_partition_ascend_by_number() {
        Partition partition = new Partition("t", 0);
        Bytes low = new DeliveryKey(partition, 255, DeliveryKind.TASK, 9, 9, Subscriber.group("z")).bytes();
        Bytes high = new DeliveryKey(partition, 256, DeliveryKind.ORDERED, 0, 0, Subscriber.group("a")).bytes();
        assertThat(low).isLessThan(high);
    }

    @Test
    void progress_comes_back_from_both_orders() {
        for (String name : NAMES) {
            ProgressKey key = new ProgressKey(new Partition(name, 7), Subscriber.group(name + name));
            assertThat(ProgressKey.read(key.bytes())).isEqualTo(key);
            assertThat(ProgressKey.readBySubscriber(key.bySubscriber())).isEqualTo(key);
        }
    }

    @Test
    void dead_letters_come_back_from_all_orders() {
        for (String name : NAMES) {
            DeadLetterId id = new DeadLetterId(new Partition(name, 1), 77, Subscriber.single("c" + name));
            assertThat(DeadLetterKey.read(DeadLetterKey.bytes(id))).isEqualTo(id);
            DeadLetterKey.Listed listed = new DeadLetterKey.Listed(5, id);
            assertThat(DeadLetterKey.readByTime(DeadLetterKey.byTime(5, id))).isEqualTo(listed);
            assertThat(DeadLetterKey.readByTopic(DeadLetterKey.byTopic(5, id))).isEqualTo(listed);
            assertThat(DeadLetterKey.readBySubscriber(DeadLetterKey.bySubscriber(5, id)))
                    .isEqualTo(listed);
        }
    }

    @Test
    void tasks_come_back_from_all_orders() {
        for (String name : NAMES) {
            TaskId id = new TaskId("t" + name);
            AgentId agent = new AgentId(name);
            assertThat(TaskKey.read(TaskKey.bytes(id))).isEqualTo(id);
            assertThat(TaskKey.readListed(Table.TASK_BY_STATE, TaskKey.byState(2, id)))
                    .isEqualTo(id);
            assertThat(TaskKey.readListed(Table.TASK_BY_AGENT, TaskKey.byAgent(agent, id)))
                    .isEqualTo(id);
            assertThat(TaskKey.readListed(Table.TASK_BY_AGENT_AND_STATE, TaskKey.byAgent(agent, 2, id)))
                    .isEqualTo(id);
            assertThat(TaskKey.readListed(Table.TASK_BY_CONTEXT_AND_STATE, TaskKey.byContext(name, 2, id)))
                    .isEqualTo(id);
            assertThat(TaskKey.readListed(Table.TASK_BY_PARENT_AND_STATE, TaskKey.byParent(new TaskId(name), 2, id)))
                    .isEqualTo(id);
            assertThat(TaskKey.readByChange(TaskKey.byChange(true, 5, id))).isEqualTo(new TaskKey.Changed(true, 5, id));
        }
    }

    @Test
    void replays_come_back_from_both_queues() {
        for (String name : NAMES) {
            ReplayKey key = new ReplayKey(
                    new DeadLetterId(new Partition(name, 1), 77, Subscriber.group(name)), RequestKey.of("r" + name));
            assertThat(ReplayKey.readQueued(key.queued())).isEqualTo(key);
            assertThat(ReplayKey.readByTime(key.byTime(5))).isEqualTo(new ReplayKey.Done(5, key));
        }
    }

    @Test
    void scopes_and_subscribers_of_the_same_name_are_different() {
        List<Scope> scopes = List.of(new Partition("x", 0), new ClientId("x"), new AgentId("x"), new TaskId("x"));
        assertThat(scopes.stream().map(TypedKeysTest::holder).distinct()).hasSize(4);
        for (Scope scope : scopes) {
            assertThat(KeyReader.read(Table.HOLDER, holder(scope), KeyReader::scope))
                    .isEqualTo(scope);
        }
        Partition partition = new Partition("x", 0);
        assertThat(new ProgressKey(partition, Subscriber.group("x")).bytes())
                .isNotEqualTo(new ProgressKey(partition, Subscriber.single("x")).bytes());
    }

    @Test
    void a_key_of_another_table_or_shape_is_corrupt() {
        Bytes task = KeyWriter.of(Table.TASK).text("t").key();
        assertThatThrownBy(() -> DeliveryKey.read(task))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("TASK(task \"t\")")
                .hasMessageContaining("DELIVERY");
        assertThatThrownBy(() -> KeyReader.read(Table.TASK, task, KeyReader::number))
                .isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> KeyReader.read(Table.TASK, task, in -> ""))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("too many");
        assertThatThrownBy(() -> KeyReader.read(Table.TASK, Bytes.EMPTY, KeyReader::text))
                .isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(
                        () -> KeyReader.read(Table.TASK, Bytes.of((byte) 0x50, (byte) 0xC3, (byte) 0), KeyReader::text))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("UTF-8");
    }

    private static Bytes holder(Scope scope) {
        return KeyWriter.of(Table.HOLDER).scope(scope).key();
    }
}
