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
package org.apache.eventmesh.state.tck.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** G15: calling again after any failure leaves what one call would have left. */
public interface RepetitionRules extends Rules {
    String WRITES = "org.apache.eventmesh.state.tck.contract.Operation#repeatable";

    @ParameterizedTest(name = "{0}")
    @MethodSource(WRITES)
    default void required_G15_a_repeat_leaves_what_one_call_left(String operation) {
        Operation write = Operation.named(operation);
        Instance a = open("A");
        Scene once = new Scene("once", a);
        Scene twice = new Scene("twice", a);

        Operation.answers(write.on(once));
        Map<String, Object> expected = Digest.of(once, a.stores());
        Operation.answers(write.on(twice));
        List<Object> second = Operation.answers(write.on(twice));

        assertThat(second).isNotEmpty().noneMatch(Throwable.class::isInstance);
        assertThat(Digest.of(twice, a.stores())).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(WRITES)
    default void required_G15_a_repeat_after_a_lost_answer_leaves_what_one_call_left(String operation) {
        Operation write = Operation.named(operation);
        Instance a = open("A");
        Scene once = new Scene("once", a);
        Operation.answers(write.on(once));
        Map<String, Object> expected = Digest.of(once, a.stores());

        for (int commit = 1; commit <= 3; commit++) {
            Scene scene = new Scene("lost" + commit, a);
            Hold answer = a.faults().loseAnswer(Which.nth(commit));
            CompletionStage<?> first = write.on(scene);
            // a write of fewer commits is over before this one
            eventually(() -> assertThat(
                            answer.size() == 1 || first.toCompletableFuture().isDone())
                    .isTrue());
            if (answer.size() == 0) {
                // what comes from now on is no part of it: a lease that is renewed after its end is a commit too
                a.faults().disarm();
            }
            kit().passDeadline();
            Operation.answers(first);
            a.faults().disarm();
            answer.release();
            List<Object> second = Operation.answers(write.on(scene));

            assertThat(second)
                    .as("answers when the answer of commit %d was lost", commit)
                    .isNotEmpty()
                    .noneMatch(Throwable.class::isInstance);
            assertThat(Digest.of(scene, a.stores()))
                    .as("what is there when the answer of commit %d was lost", commit)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(WRITES)
    default void required_G15_a_repeat_after_a_failed_write_leaves_what_one_call_left(String operation) {
        Operation write = Operation.named(operation);
        Instance a = open("A");
        Scene once = new Scene("once", a);
        Operation.answers(write.on(once));
        Map<String, Object> expected = Digest.of(once, a.stores());

        for (int commit = 1; commit <= 3; commit++) {
            Scene scene = new Scene("failed" + commit, a);
            a.faults().fail(Which.nth(commit));
            Operation.answers(write.on(scene));
            a.faults().disarm();
            List<Object> second = Operation.answers(write.on(scene));

            assertThat(second)
                    .as("answers when commit %d failed", commit)
                    .isNotEmpty()
                    .noneMatch(Throwable.class::isInstance);
            assertThat(Digest.of(scene, a.stores()))
                    .as("what is there when commit %d failed", commit)
                    .isEqualTo(expected);
        }
    }

    @Test
    default void required_G15_a_lost_answer_is_unknown_to_the_caller_and_found_out_by_the_library() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Hold answer = a.faults().loseAnswer(Which.next());
        CompletionStage<?> ack = scene.shard.ack(scene.ack(0));
        // until it has left, its deadline finds it certainly not applied
        eventually(() -> assertThat(answer.size()).isOne());
        kit().passDeadline();

        assertThat(Operation.answers(ack))
                .singleElement()
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        failure -> assertThat(((StateStoreException) failure).getMessage())
                                .matches(FailureRules.ADVICE));
        answer.release();
        assertThat(get(a.stores().deliveries().find(scene.held.get(0).delivery().id())))
                .isEmpty();
    }
}
