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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Copies of what is in use: each is of one moment and opens as another life. */
public interface CheckpointRules extends EngineRules {
    @Test
    @Needs(Capability.CHECKPOINTS)
    default void required_ENG_a_checkpoint_opens_as_another_life_with_the_entries_of_its_moment() {
        Engine engine = engine();
        apply(engine, always(put("a", "1"), put("b", "1")));
        long last = apply(engine, always(put("b", "2")));
        List<Entry> then = scan(engine, ALL, 10);
        Path checkpoint = engines().kit().newPath();

        get(engine.checkpoint(checkpoint));
        apply(engine, always(put("a", "later"), put("c", "later")));
        Engine restored = engines().restored(checkpoint);

        assertThat(restored.incarnation()).isNotEmpty().isNotEqualTo(engine.incarnation());
        assertThat(scan(restored, ALL, 10)).isEqualTo(then);
        assertThat(apply(restored, always(put("b", "3")))).isGreaterThan(last);
        assertThat(text(restored, "a")).contains("1");
        assertThat(text(engine, "a")).contains("later");
    }

    @Test
    @Needs(Capability.CHECKPOINTS)
    default void required_ENG_the_life_of_a_restored_checkpoint_goes_on_when_it_is_reopened() {
        apply(engine(), always(put("a", "1")));
        Path checkpoint = engines().kit().newPath();
        get(engine().checkpoint(checkpoint));
        Engine restored = engines().restored(checkpoint);
        String life = restored.incarnation();
        apply(restored, always(put("a", "2")));
        restored.close();

        Engine again = engines().restored(checkpoint);

        assertThat(again.incarnation()).isEqualTo(life);
        assertThat(text(again, "a")).contains("2");
    }

    @Test
    @Needs(Capability.CHECKPOINTS)
    default void required_ENG_a_checkpoint_beside_writes_has_all_that_was_answered_and_no_half() {
        Engine engine = engine();
        AtomicInteger answered = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                String number = Integer.toString(answered.get() + 1);
                apply(engine, always(put("one", number), put("other", number)));
                answered.incrementAndGet();
            }
        });
        try {
            Eventually.holds(() -> assertThat(answered).hasValueGreaterThan(3));
            Path checkpoint = engines().kit().newPath();

            int before = answered.get();
            get(engine.checkpoint(checkpoint));
            int after = answered.get();
            Eventually.holds(() -> assertThat(answered).hasValueGreaterThan(after));
            Engine restored = engines().restored(checkpoint);

            int copied = Integer.parseInt(text(restored, "one").orElseThrow());
            assertThat(text(restored, "other")).contains(Integer.toString(copied));
            // one more may have been written and not counted yet
            assertThat(copied).isBetween(before, after + 1);
        } finally {
            enough.set(true);
            get(writer);
        }
    }

    @Test
    @Needs(Capability.CHECKPOINTS)
    default void required_ENG_a_checkpoint_is_written_over_nothing_that_is_there() {
        apply(engine(), always(put("a", "1")));
        Path checkpoint = engines().kit().newPath();
        get(engine().checkpoint(checkpoint));
        apply(engine(), always(put("a", "2")));

        for (Path refused : List.of(checkpoint, checkpoint.resolve("missing").resolve("deeper"))) {
            assertThatThrownBy(() -> get(engine().checkpoint(refused)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(refused.toString());
            assertThat(Files.exists(refused)).isEqualTo(refused.equals(checkpoint));
        }

        assertThat(text(engines().restored(checkpoint), "a")).contains("1");
    }

    @Test
    @Lacks(Capability.CHECKPOINTS)
    default void required_ENG_without_checkpoints_one_is_refused_and_nothing_is_written() {
        Path checkpoint = engines().kit().newPath();

        assertThatThrownBy(() -> get(engine().checkpoint(checkpoint)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(checkpoint.toString())
                .hasMessageContaining(engine().health().backend());

        assertThat(Files.exists(checkpoint)).isFalse();
    }
}
