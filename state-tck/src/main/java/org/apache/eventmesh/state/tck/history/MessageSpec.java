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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.tck.history.TargetState.Status;

/**
 * Rules D01 to D05, D08, L01 and E03 as far as one message of an unordered source shows them. Hand-outs last longer than
 * the run, and so do the marks of what is settled.
 *
 * @param targets how many deliveries the message requires
 * @param mostFailures the one that ends in the dead letters
 */
record MessageSpec(int targets, int mostFailures) implements Spec<MessageState, MessageInput, Object> {
    /** An answer to a hand-out: what of this message was given. */
    record Given(int target, long epoch) {}

    @Override
    public MessageState initial() {
        return MessageState.of(targets);
    }

    @Override
    public boolean reads(MessageInput input) {
        return input instanceof MessageInput.Find
                || input instanceof MessageInput.FindLetter
                || input instanceof MessageInput.IsCompleted;
    }

    @Override
    public Optional<MessageState> after(MessageState state, MessageInput input, Object output) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.after(state.owning(), owner, output).map(state::owned);
        }
        if (input instanceof MessageInput.Find find) {
            return found(state, find.target(), (Optional<?>) output);
        }
        if (input instanceof MessageInput.FindLetter find) {
            return only(output.equals(state.target(find.target()).letter()), state);
        }
        if (input instanceof MessageInput.Purge purge) {
            boolean letter = state.target(purge.target()).letter();
            MessageState purged =
                    state.with(purge.target(), state.target(purge.target()).purged());
            return only(
                    output instanceof PurgeResult.Purged ? letter : output instanceof PurgeResult.Gone && !letter,
                    purged);
        }
        if (input instanceof MessageInput.IsCompleted look) {
            // a handle that is spent knows of nothing any more
            boolean spent = state.owning().current(look.token()).isEmpty();
            return only(output.equals(state.isCompleted()) || (spent && output.equals(false)), state);
        }
        MessageInput.Owned write = (MessageInput.Owned) input;
        if (output instanceof Fenced fenced) {
            return state.owning().fenced(write.token(), fenced).map(state::owned);
        }
        return state.owning().current(write.token()).map(state::owned).flatMap(now -> written(now, write, output));
    }

    private static Optional<MessageState> only(boolean allowed, MessageState state) {
        return allowed ? Optional.of(state) : Optional.empty();
    }

    private static Optional<MessageState> found(MessageState state, int number, Optional<?> output) {
        TargetState target = state.target(number);
        if (output.isEmpty()) {
            return only(!target.is(Status.OPEN), state);
        }
        Delivery found = (Delivery) output.get();
        return found.failures() == target.failures()
                ? target.current(found.epoch()).map(now -> state.with(number, now))
                : Optional.empty();
    }

    private Optional<MessageState> written(MessageState state, MessageInput.Owned write, Object output) {
        if (write instanceof MessageInput.Open open) {
            return opened(state, open.target(), output);
        }
        if (write instanceof MessageInput.HandOut) {
            return output instanceof Given given ? handedOut(state, given) : Optional.empty();
        }
        if (write instanceof MessageInput.Confirm) {
            return output.equals(1L)
                    ? only(state.isCompleted(), state.confirmedNow())
                    : only(output.equals(0L) && (!state.isCompleted() || state.again()), state);
        }
        if (write instanceof MessageInput.Settle settle) {
            return settled(state, settle, output);
        }
        if (write instanceof MessageInput.Fail fail) {
            return failed(state, fail, output);
        }
        MessageInput.GiveUp up = (MessageInput.GiveUp) write;
        return givenUp(state, up.target(), up.epoch(), output);
    }

    private static Optional<MessageState> opened(MessageState state, int number, Object output) {
        TargetState target = state.target(number);
        if (output instanceof OpenResult.Opened opened) {
            return only(
                    target.is(Status.ABSENT) && opened.handOut().isPresent(),
                    state.with(
                            number, target.opened(new Rising(opened.delivery().epoch(), true))));
        }
        if (output instanceof OpenResult.AlreadyOpen already) {
            return target.current(already.existing().epoch()).map(now -> state.with(number, now));
        }
        return only(
                output instanceof OpenResult.AlreadySettled && target.isSettled(),
                state.allSettled() ? state.openedAgain() : state);
    }

    private static Optional<MessageState> handedOut(MessageState state, Given given) {
        TargetState target = state.target(given.target());
        return target.is(Status.OPEN) && !target.held()
                ? target.epoch().raised(given.epoch()).map(now -> state.with(given.target(), target.handedOut(now)))
                : Optional.empty();
    }

    private static Optional<MessageState> settled(MessageState state, MessageInput.Settle ack, Object output) {
        TargetState target = state.target(ack.target());
        if (output instanceof AckResult.Acked acked) {
            MessageState now = state.with(ack.target(), target.acked(ack.epoch()));
            return only(target.current(ack.epoch()).isPresent() && tells(acked.completed(), now), now);
        }
        if (output instanceof AckResult.Duplicate) {
            return only(target.is(Status.ACKED) && target.settledBy(ack.epoch()), state);
        }
        return refused(state, ack.target(), ack.epoch(), output);
    }

    /** The last delivery to be settled completes the fan-out, and its answer says so; no other does. */
    private static boolean tells(Optional<FanOut> completed, MessageState now) {
        return completed.isPresent() == now.isCompleted();
    }

    private static Optional<MessageState> refused(MessageState state, int number, long epoch, Object output) {
        TargetState target = state.target(number);
        if (output instanceof Refused.Stale stale) {
            return stale.currentEpoch() == epoch
                    ? Optional.empty()
                    : target.current(stale.currentEpoch()).map(now -> state.with(number, now));
        }
        if (output instanceof Refused.Settled settled) {
            Status wanted = settled.how() == Refused.How.ACKED ? Status.ACKED : Status.DEAD;
            return only(settled.how() != Refused.How.WITHDRAWN && target.is(wanted), state);
        }
        return Optional.empty();
    }

    private Optional<MessageState> failed(MessageState state, MessageInput.Fail fail, Object output) {
        TargetState target = state.target(fail.target());
        if (!(output instanceof NackResult.Rescheduled rescheduled)) {
            boolean last = target.failures() + 1 == mostFailures || !target.is(Status.OPEN);
            return last || !(output instanceof NackResult.DeadLettered)
                    ? givenUp(state, fail.target(), fail.epoch(), output)
                    : Optional.empty();
        }
        boolean repeated = target.is(Status.OPEN) && !target.held() && target.failedAt() == fail.epoch();
        if (repeated) {
            return only(rescheduled.failures() == target.failures(), state);
        }
        return target.current(fail.epoch()).isPresent()
                        && rescheduled.failures() == target.failures() + 1
                        && rescheduled.failures() < mostFailures
                ? Optional.of(state.with(fail.target(), target.failed(fail.epoch())))
                : Optional.empty();
    }

    private static Optional<MessageState> givenUp(MessageState state, int number, long epoch, Object output) {
        TargetState target = state.target(number);
        if (!(output instanceof NackResult.DeadLettered dead)) {
            return refused(state, number, epoch, output);
        }
        if (target.is(Status.DEAD)) {
            return only(target.settledBy(epoch), state);
        }
        MessageState now = state.with(number, target.dead(epoch));
        return only(target.current(epoch).isPresent() && tells(dead.completed(), now), now);
    }

    @Override
    public Collection<MessageState> possible(MessageState state, MessageInput input) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.possible(state.owning(), owner).stream()
                    .map(state::owned)
                    .toList();
        }
        if (input instanceof MessageInput.Purge purge) {
            return List.of(
                    state.with(purge.target(), state.target(purge.target()).purged()));
        }
        if (reads(input) || !(input instanceof MessageInput.Owned write)) {
            return List.of();
        }
        return state.owning()
                .current(write.token())
                .map(state::owned)
                .map(now -> writtenUnseen(now, write))
                .orElse(List.of());
    }

    private Collection<MessageState> writtenUnseen(MessageState state, MessageInput.Owned write) {
        if (write instanceof MessageInput.HandOut) {
            return handedOutUnseen(state);
        }
        if (write instanceof MessageInput.Confirm) {
            return state.isCompleted() ? List.of(state.confirmedNow()) : List.of();
        }
        if (write instanceof MessageInput.Open open) {
            return state.target(open.target()).is(Status.ABSENT)
                    ? List.of(state.with(
                            open.target(), state.target(open.target()).opened(Rising.NEVER.raised())))
                    : state.allSettled() ? List.of(state.openedAgain()) : List.of();
        }
        if (write instanceof MessageInput.Settle ack) {
            return settledUnseen(state, ack.target(), ack.epoch(), now -> now.acked(ack.epoch()));
        }
        if (write instanceof MessageInput.Fail fail) {
            return settledUnseen(
                    state,
                    fail.target(),
                    fail.epoch(),
                    now -> now.failures() + 1 == mostFailures ? now.dead(fail.epoch()) : now.failed(fail.epoch()));
        }
        MessageInput.GiveUp up = (MessageInput.GiveUp) write;
        return settledUnseen(state, up.target(), up.epoch(), now -> now.dead(up.epoch()));
    }

    private static Collection<MessageState> settledUnseen(
            MessageState state, int number, long epoch, UnaryOperator<TargetState> end) {
        return state.target(number).current(epoch).map(now -> state.with(number, end.apply(now))).stream()
                .toList();
    }

    /** Any of those that nobody held, in any number. */
    private static Collection<MessageState> handedOutUnseen(MessageState state) {
        List<MessageState> all = new ArrayList<>(List.of(state));
        for (int number = 0; number < state.targets().size(); number++) {
            TargetState target = state.target(number);
            if (target.is(Status.OPEN) && !target.held()) {
                TargetState given = target.handedOut(target.epoch().raised());
                for (MessageState before : List.copyOf(all)) {
                    all.add(before.with(number, given));
                }
            }
        }
        return all;
    }
}
