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
package org.apache.eventmesh.state.core.shard;

import java.util.List;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The commit of a batch when an operation is taken back, as one that has no room in it any more. */
class DraftCommitTest {
    private static final Bytes KEPT = Bytes.utf8("kept");
    private static final Bytes ONE = Bytes.utf8("one");
    private static final Bytes TWO = Bytes.utf8("two");
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final Subscriber AUDIT = Subscriber.group("audit");

    /** The fence, one record that is read and written, one subscriber that has moved, and two more operations. */
    private static final Limits LIMITS = new Limits(8, 1 << 20);

    private final DraftCommit commit =
            new DraftCommit(fence(), LIMITS, new Fetched(List.of(KEPT, ONE, TWO), List.of()), false);

    private static Fence fence() {
        Token<Partition> token = new Token<>("map", new Partition("orders", 0), 1, new Holder("a", "process"));
        return new Fence(
                new Held<>(token, new Condition(Bytes.utf8("holder"), 1)),
                new Condition(Bytes.utf8("shard"), 1),
                "map");
    }

    private void write(Bytes key) {
        assertThat(commit.record(key)).isEmpty();
        commit.put(Change.put(key, Bytes.EMPTY));
    }

    @Test
    void required_G05_what_is_taken_back_takes_no_room() {
        write(KEPT);
        commit.moved(BILLING);
        assertThat(commit.fits(2, 0)).isTrue();
        DraftCommit.Mark mark = commit.mark();
        write(ONE);
        write(TWO);
        commit.placed(AUDIT);
        commit.sync();
        assertThat(commit.fits()).isFalse();

        commit.undo(mark);

        assertThat(commit.fits(2, 0)).isTrue();
        assertThat(commit.fits(3, 0)).isFalse();
        assertThat(commit.readers()).containsExactly(BILLING);
        assertThat(commit.synced()).isFalse();
    }

    @Test
    void what_is_taken_back_may_come_again() {
        DraftCommit.Mark mark = commit.mark();
        write(ONE);
        commit.moved(AUDIT);
        commit.undo(mark);
        write(ONE);
        commit.moved(AUDIT);

        assertThat(commit.fits(2, 0)).isTrue();
        assertThat(commit.fits(3, 0)).isFalse();
        assertThat(commit.readers()).containsExactly(AUDIT);
        assertThat(commit.own(ONE))
                .hasValueSatisfying(entry -> assertThat(entry.value()).isEqualTo(Bytes.EMPTY));
    }
}
