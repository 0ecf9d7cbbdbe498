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
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class OperationTest {
    @Test
    void it_is_printed_with_its_store_as_callers_know_it_and_what_it_was_about() {
        assertThat(new Operation(StoreName.DEAD_LETTERS, "replay", "letter 7"))
                .hasToString("dead_letters.replay of letter 7");
        assertThat(new Operation(StoreName.TASKS, "list")).hasToString("tasks.list");
        Partition partition = new Partition("orders", 3);
        assertThat(new Operation(StoreName.DELIVERIES, "ack", partition)).hasToString("deliveries.ack of " + partition);
    }

    /** What the {@code toString} of a subject may do. */
    enum Printing {
        NULL,
        EXCEPTION,
        STACK_OVERFLOW,
        OUT_OF_MEMORY
    }

    private record Subject(Printing printing) {
        @Override
        @SuppressWarnings("NullAway") // as code does that nobody checked
        public String toString() {
            return switch (printing) {
                case NULL -> null;
                case EXCEPTION -> throw new IllegalStateException("on purpose");
                case STACK_OVERFLOW -> throw new StackOverflowError("on purpose");
                case OUT_OF_MEMORY -> throw new OutOfMemoryError("on purpose");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void required_G04_a_subject_that_cannot_be_printed_keeps_no_failure_from_its_caller(Printing printing) {
        Operation operation = new Operation(StoreName.SESSIONS, "find", new Subject(printing));

        assertThat(operation.toString()).startsWith("sessions.find of ");
        assertThat(operation.explain(new StoreUnavailableException("it is away"), "map:"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("sessions.find of ")
                .hasMessageEndingWith(", asked of map:: it is away");
    }

    @Test
    void required_G04_each_kind_of_failure_keeps_its_kind_and_says_what_was_asked_of_which_backend() {
        Operation operation = new Operation(StoreName.OFFSETS, "advance", "p");
        List<StateStoreException> failures = List.of(
                new StoreUnavailableException("why"),
                new OverloadedException("why"),
                new OutcomeUnknownException("why"),
                new CorruptStateException("why"),
                new LimitExceededException("why"),
                new StoreClosedException("why"),
                new IncompatibleFormatException("why"));

        failures.forEach(failure -> assertThat(operation.explain(failure, "map:"))
                .isExactlyInstanceOf(failure.getClass())
                .hasMessage("offsets.advance of p, asked of map:: why")
                .hasCause(failure));
    }
}
