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
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.assertj.core.api.Assertions.assertThat;

/** What {@link org.apache.eventmesh.state.engine.Engine#limits} tells fits; what is larger is refused before writing. */
public interface LimitRules extends EngineRules {
    /** An ack with its fan-out and index entries needs no more; an engine with less cannot hold the stores. */
    Limits ENOUGH = new Limits(64, (1 << 20) + (256 << 10));

    @Test
    default void required_ENG_the_limits_are_enough_for_the_stores() {
        assertThat(engine().limits().maxOperations()).isGreaterThanOrEqualTo(ENOUGH.maxOperations());
        assertThat(engine().limits().maxBytes()).isGreaterThanOrEqualTo(ENOUGH.maxBytes());
    }

    @Test
    default void required_G09_as_many_operations_as_the_limit_are_one_commit_and_one_more_is_refused() {
        int most = engine().limits().maxOperations();
        apply(engine(), operations(most));
        int changed = scan(engine(), ALL, 1000).size();
        assertThat(changed).isEqualTo(most - most / 2);

        Throwable failure = failure(() ->
                engine().commit(List.of(operations(most + 1)), Durability.DISK).get(0));

        assertThat(failure)
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining(String.valueOf(most))
                .hasMessageContaining(String.valueOf(most + 1));
        assertThat(scan(engine(), ALL, 1000)).hasSize(changed);
    }

    /** Half of them conditions, on keys that are not there. */
    private static Commit operations(int number) {
        List<Condition> conditions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < number / 2; i++) {
            conditions.add(Condition.absent(key("absent" + i)));
        }
        for (int i = number / 2; i < number; i++) {
            changes.add(Change.put(key("k" + i), Bytes.EMPTY));
        }
        return new Commit(conditions, changes);
    }

    @Test
    default void required_G09_as_many_bytes_as_the_limit_are_one_commit_and_one_more_is_refused() {
        int most = engine().limits().maxBytes();
        apply(engine(), bytes(most));

        Throwable failure = failure(() ->
                engine().commit(List.of(bytes(most + 1L)), Durability.DISK).get(0));

        assertThat(failure)
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining(String.valueOf(most))
                .hasMessageContaining(String.valueOf(most + 1L));
    }

    /** Keys and values together, in parts of at most half a mebibyte. */
    private static Commit bytes(long number) {
        Bytes part = Bytes.of(new byte[512 << 10]);
        List<Change> changes = new ArrayList<>();
        long left = number;
        for (int i = 0; left > 0; i++) {
            Bytes key = key(String.format("part%06d", i));
            long size = Math.min(part.size(), left - key.size());
            // the last two share what is left, so that neither is smaller than its key
            if (left - key.size() - size > 0 && left - key.size() - size < 100) {
                size -= 100;
            }
            changes.add(Change.put(key, size == part.size() ? part : Bytes.of(new byte[(int) size])));
            left -= key.size() + size;
        }
        return new Commit(List.of(), changes);
    }
}
