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
package org.apache.eventmesh.state.tck.history;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenResult;

/**
 * What must be true of the calls about one message after everything was brought to its end, looked at without a search:
 * none of its deliveries is lost or settled twice, none is handed out after it was settled, and its fan-out is confirmed.
 */
final class MessageFacts {
    private MessageFacts() {}

    static void check(String message, List<Call<MessageInput, Object>> calls) {
        for (int target = 0; target < MessageWork.TARGETS.size(); target++) {
            settledOnceAndForEver(message, target, calls);
        }
        confirmed(message, calls);
    }

    private static void settledOnceAndForEver(String message, int target, List<Call<MessageInput, Object>> calls) {
        List<Call<MessageInput, Object>> ends = having(calls, call -> settles(call, target));
        long acked = ends.stream()
                .filter(end -> is(end, AckResult.Acked.class::isInstance))
                .count();
        // a repeated dead-lettering gives the first answer again; the search looks whether it is one
        if (acked > 1 || (acked == 1 && ends.size() > 1)) {
            throw broken(message + " was settled twice for target " + target, ends);
        }
        if (ends.isEmpty()
                && having(calls, call -> mayHaveSettled(call, target)).isEmpty()) {
            throw broken(message + " was never settled for target " + target, calls);
        }
        for (Call<MessageInput, Object> end : ends) {
            List<Call<MessageInput, Object>> later =
                    having(calls, call -> gives(call, target) && call.started() > end.ended());
            if (!later.isEmpty()) {
                throw broken(message + " was handed out after it was settled", List.of(end, later.get(0)));
            }
        }
    }

    private static void confirmed(String message, List<Call<MessageInput, Object>> calls) {
        List<Call<MessageInput, Object>> confirms = having(calls, call -> call.input() instanceof MessageInput.Confirm);
        long sure = confirms.stream()
                .filter(call -> is(call, told -> told.equals(1L)))
                .count();
        boolean lost = confirms.stream().anyMatch(call -> !call.known());
        // opening a settled message again completes its fan-out again
        boolean again = calls.stream()
                .filter(call -> call.input() instanceof MessageInput.Open)
                .anyMatch(call -> !call.known() || is(call, OpenResult.AlreadySettled.class::isInstance));
        if ((sure == 0 && !lost) || (sure > 1 && !again)) {
            throw broken(message + " was confirmed " + sure + " times", calls);
        }
    }

    private static List<Call<MessageInput, Object>> having(
            List<Call<MessageInput, Object>> calls, Predicate<Call<MessageInput, Object>> wanted) {
        return calls.stream().filter(wanted).toList();
    }

    private static boolean is(Call<MessageInput, Object> call, Predicate<Object> answer) {
        return call.output().filter(answer).isPresent();
    }

    private static Optional<Integer> settledTarget(MessageInput input) {
        if (input instanceof MessageInput.Settle ack) {
            return Optional.of(ack.target());
        }
        if (input instanceof MessageInput.Fail fail) {
            return Optional.of(fail.target());
        }
        return input instanceof MessageInput.GiveUp up ? Optional.of(up.target()) : Optional.empty();
    }

    private static boolean settles(Call<MessageInput, Object> call, int target) {
        return settledTarget(call.input()).equals(Optional.of(target))
                && (is(call, AckResult.Acked.class::isInstance) || is(call, NackResult.DeadLettered.class::isInstance));
    }

    private static boolean mayHaveSettled(Call<MessageInput, Object> call, int target) {
        return settledTarget(call.input()).equals(Optional.of(target)) && !call.known();
    }

    private static boolean gives(Call<MessageInput, Object> call, int target) {
        return is(call, told -> told instanceof MessageSpec.Given given && given.target() == target);
    }

    private static AssertionError broken(String what, List<Call<MessageInput, Object>> calls) {
        return new AssertionError(what + ":\n" + CallTable.of(calls));
    }
}
