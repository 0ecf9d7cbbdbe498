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
package org.apache.eventmesh.state.core.commit;

import java.util.List;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DraftTest {
    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");

    private final Draft draft = new Draft();

    @Test
    void a_key_is_named_once_and_its_last_change_counts() {
        assertThat(draft.changesNothing()).isTrue();
        draft.condition(new Condition(A, 7)).condition(new Condition(A, 7)).condition(Condition.absent(B));
        assertThat(draft.changesNothing()).isTrue();
        assertThat(draft.operations()).isEqualTo(2);
        Change last = Change.put(A, Bytes.utf8("2"));
        draft.change(Change.put(A, Bytes.utf8("1"))).change(last).change(Change.delete(B));
        assertThat(draft.changesNothing()).isFalse();
        assertThat(draft.operations()).isEqualTo(4);
        assertThat(commit())
                .isEqualTo(
                        new Commit(List.of(new Condition(A, 7), Condition.absent(B)), List.of(last, Change.delete(B))));
    }

    @Test
    void two_revisions_of_a_key_are_a_bug() {
        draft.condition(new Condition(A, 7));
        assertThatThrownBy(() -> draft.condition(new Condition(A, 8))).isInstanceOf(IllegalStateException.class);
    }

    private Commit commit() {
        Decision.Write<String> write = (Decision.Write<String>) draft.write("done");
        assertThat(write.result().apply(3)).isEqualTo("done");
        return write.commit();
    }
}
