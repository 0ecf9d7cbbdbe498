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

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CreationHashTest {
    @Test
    void required_T01_the_hash_never_changes_because_it_stands_on_disk() {
        // computed outside, from the definition: sha256 over length-prefixed fields
        assertThat(hex(CreationHash.of(TaskSamples.whole())))
                .isEqualTo("499bfc12ec72a3ab5ed17d797bd1616b8b80ef5150a52d967892a33fac23a67d");
    }

    @Test
    void required_T01_the_order_in_which_attributes_were_given_does_not_matter() {
        Map<String, String> one = new LinkedHashMap<>();
        one.put("a", "1");
        one.put("b", "2");
        Map<String, String> other = new LinkedHashMap<>();
        other.put("b", "2");
        other.put("a", "1");

        assertThat(CreationHash.of(task("t", "x", null, null, "in", one)))
                .isEqualTo(CreationHash.of(task("t", "x", null, null, "in", other)));
    }

    @Test
    void required_T01_no_two_different_tasks_are_joined_to_the_same_input() {
        List<NewTask> different = List.of(
                task("t", "ab", null, null, "c", Map.of()),
                task("t", "a", null, null, "bc", Map.of()),
                task("ta", "b", null, null, "c", Map.of()),
                task("t", "ab", "c", null, "", Map.of()),
                task("t", "ab", null, "c", "", Map.of()),
                task("t", "ab", "c", "c", "", Map.of()),
                task("t", "ab", null, null, "", Map.of("c", "")),
                task("t", "ab", null, null, "", Map.of("c", "d")),
                task("t", "ab", null, null, "", Map.of("cd", "")),
                task("t", "ab", null, null, "", Map.of("c", "d", "e", "")),
                task("t", "ab", null, null, "", Map.of("c", "", "d", "e")),
                task("t", "ab", null, null, "", Map.of()),
                task("t", "a\0b", null, null, "", Map.of()),
                task("t", "a", "\0b", null, "", Map.of()),
                task("t", "a", "\0", "b", "", Map.of()),
                task("t", "é", null, null, "", Map.of()),
                task("t", "e\u0301", null, null, "", Map.of()));

        Set<ByteString> hashes = new HashSet<>();
        for (NewTask task : different) {
            assertThat(hashes.add(CreationHash.of(task))).as(task.toString()).isTrue();
        }
    }

    @Test
    void a_record_knows_its_own_creation_after_any_move() {
        NewTask task = TaskSamples.whole();

        assertThat(TaskRecords.sameCreation(TaskSamples.created(task, 1).record(), task))
                .isTrue();
        assertThat(TaskRecords.sameCreation(TaskSamples.created(task, 1).record(), TaskSamples.plain("t")))
                .isFalse();
    }

    private static String hex(ByteString hash) {
        return HexFormat.of().formatHex(hash.toByteArray());
    }

    private static NewTask task(
            String id, String agent, String context, String parent, String input, Map<String, String> attributes) {
        return new NewTask(
                new TaskId(id),
                new AgentId(agent),
                Optional.ofNullable(context),
                Optional.ofNullable(parent).map(TaskId::new),
                Bytes.utf8(input),
                new Attributes(attributes));
    }
}
