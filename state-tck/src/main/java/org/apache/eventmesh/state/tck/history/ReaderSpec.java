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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.owner.Fenced;

/** Rules O01, O02, O04, D01, D03 and E03 as far as one subscriber in one partition of an ordered log shows them. */
record ReaderSpec(long entered) implements Spec<ReaderState, ReaderInput, Object> {
    @Override
    public ReaderState initial() {
        return ReaderState.at(entered);
    }

    @Override
    public boolean reads(ReaderInput input) {
        return input instanceof ReaderInput.Position;
    }

    @Override
    public Optional<ReaderState> after(ReaderState state, ReaderInput input, Object output) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.after(state.owning(), owner, output).map(state::owned);
        }
        if (input instanceof ReaderInput.Position) {
            return only(output.equals(OptionalLong.of(state.position())), state);
        }
        ReaderInput.Owned write = (ReaderInput.Owned) input;
        if (output instanceof Fenced fenced) {
            return state.owning().fenced(write.token(), fenced).map(state::owned);
        }
        return state.owning().current(write.token()).map(state::owned).flatMap(now -> written(now, write, output));
    }

    private static Optional<ReaderState> only(boolean allowed, ReaderState state) {
        return allowed ? Optional.of(state) : Optional.empty();
    }

    private static Optional<ReaderState> written(ReaderState state, ReaderInput.Owned write, Object output) {
        if (write instanceof ReaderInput.Advance advance) {
            return advanced(state, advance.to(), output);
        }
        if (write instanceof ReaderInput.Rewind rewind) {
            return rewound(state, rewind, output);
        }
        if (write instanceof ReaderInput.Open open) {
            return opened(state, open, output);
        }
        return settled(state, (ReaderInput.Settle) write, output);
    }

    private static Optional<ReaderState> advanced(ReaderState state, long to, Object output) {
        if (output instanceof AdvanceResult.Advanced advanced) {
            boolean allowed = to > state.cursor()
                    && !state.isHeldBefore(to)
                    && advanced.equals(new AdvanceResult.Advanced(OptionalLong.of(state.cursor()), to));
            return only(allowed, state.at(state.owning(), to));
        }
        if (output instanceof AdvanceResult.AlreadyAt already) {
            return only(to <= state.cursor() && already.current() == state.cursor(), state);
        }
        return output instanceof AdvanceResult.HeldBack held
                ? only(
                        state.isHeldBefore(to)
                                && held.lowestOpen() == state.open().firstKey(),
                        state)
                : Optional.empty();
    }

    private static Optional<ReaderState> rewound(ReaderState state, ReaderInput.Rewind rewind, Object output) {
        OptionalLong position = OptionalLong.of(state.position());
        if (output instanceof ResetResult.Done done) {
            ReaderState now = state.at(state.owning(), rewind.to());
            boolean allowed = rewind.expected().equals(position)
                    && done.equals(new ResetResult.Done(OptionalLong.of(state.cursor()), rewind.to(), now.position()));
            return only(allowed, now);
        }
        return only(
                output.equals(new ResetResult.Unexpected(position))
                        && !rewind.expected().equals(position),
                state);
    }

    private static Optional<ReaderState> opened(ReaderState state, ReaderInput.Open open, Object output) {
        long offset = open.offset();
        boolean isOpen = state.open().containsKey(offset);
        if (output instanceof OpenResult.Opened opened) {
            long number = opened.delivery().id().number();
            boolean allowed =
                    state.cursor() == offset && !isOpen && opened.delivery().offset() == offset && !state.knows(number);
            return only(allowed, state.opened(offset, number));
        }
        if (output instanceof OpenResult.AlreadyOpen already) {
            long number = already.existing().id().number();
            return only(offset <= state.cursor() && state.isOpen(offset, number), state.opened(offset, number));
        }
        if (output instanceof OpenResult.AlreadySettled) {
            return only(offset < state.cursor() && !isOpen, state);
        }
        return only(output.equals(new OpenResult.OutOfOrder(state.cursor())) && state.cursor() < open.from(), state);
    }

    private static Optional<ReaderState> settled(ReaderState state, ReaderInput.Settle settle, Object output) {
        if (output instanceof AckResult.Acked acked) {
            if (!state.isOpen(settle.offset(), settle.number())) {
                return Optional.empty();
            }
            ReaderState now = state.settled(settle.offset(), settle.number());
            return only(acked.position().equals(OptionalLong.of(now.position())), now);
        }
        return only(output instanceof AckResult.Duplicate && state.settled().contains(settle.number()), state);
    }

    @Override
    public Collection<ReaderState> possible(ReaderState state, ReaderInput input) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.possible(state.owning(), owner).stream()
                    .map(state::owned)
                    .toList();
        }
        if (input instanceof ReaderInput.Owned write) {
            return state.owning()
                    .current(write.token())
                    .map(state::owned)
                    .flatMap(now -> writtenUnseen(now, write))
                    .map(List::of)
                    .orElse(List.of());
        }
        return List.of();
    }

    private static Optional<ReaderState> writtenUnseen(ReaderState state, ReaderInput.Owned write) {
        if (write instanceof ReaderInput.Advance advance) {
            return only(
                    advance.to() > state.cursor() && !state.isHeldBefore(advance.to()),
                    state.at(state.owning(), advance.to()));
        }
        if (write instanceof ReaderInput.Rewind rewind) {
            return only(
                    rewind.expected().equals(OptionalLong.of(state.position())), state.at(state.owning(), rewind.to()));
        }
        if (write instanceof ReaderInput.Open open) {
            long number = state.open().getOrDefault(open.offset(), ReaderState.UNSEEN);
            return only(state.cursor() == open.offset(), state.opened(open.offset(), number));
        }
        ReaderInput.Settle settle = (ReaderInput.Settle) write;
        return only(state.isOpen(settle.offset(), settle.number()), state.settled(settle.offset(), settle.number()));
    }
}
