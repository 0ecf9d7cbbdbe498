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
package org.apache.eventmesh.state.tck.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.ResetResult;

/** One subscriber of one partition, as the contract describes it; answers as {@link Answers} tells them. */
final class ReaderModel {
    /** Shorter than marks of settled deliveries last: what was settled longer ago is not asked for. */
    private static final Duration REMEMBERED = Duration.ofMinutes(8);

    private enum State {
        OPEN,
        ACKED,
        DEAD_LETTERED
    }

    private static final class Message {
        private final List<Receipt> receipts = new ArrayList<>();
        private State state = State.OPEN;
        private Instant due;
        private Instant settledAt = Instant.MIN;
        private int failures;

        /** Whether the last receipt is the current one; a nack ends that. */
        private boolean current;

        private Message(Instant due) {
            this.due = due;
        }

        private boolean isOpen() {
            return state == State.OPEN;
        }

        private boolean isLast(Receipt receipt) {
            return receipts.get(receipts.size() - 1).equals(receipt);
        }
    }

    private final Map<Long, Message> messages = new TreeMap<>();
    private final Set<Long> letters = new TreeSet<>();
    private OptionalLong cursor = OptionalLong.empty();

    /** After the last message that was ever dead-lettered. */
    private long afterLetters;

    OptionalLong cursor() {
        return cursor;
    }

    long afterLetters() {
        return afterLetters;
    }

    long afterLettersUnlessServed() {
        return cursor.isEmpty() ? afterLetters : 0;
    }

    OptionalLong position() {
        if (cursor.isEmpty()) {
            return cursor;
        }
        return OptionalLong.of(Math.min(cursor.getAsLong(), lowestOpen().orElse(Long.MAX_VALUE)));
    }

    private OptionalLong lowestOpen() {
        return messages.entrySet().stream()
                .filter(each -> each.getValue().isOpen())
                .mapToLong(Map.Entry::getKey)
                .min();
    }

    private long openCount() {
        return messages.values().stream().filter(Message::isOpen).count();
    }

    Object advance(long to) {
        if (cursor.isPresent() && to <= cursor.getAsLong()) {
            return new AdvanceResult.AlreadyAt(cursor.getAsLong()).toString();
        }
        OptionalLong open = lowestOpen();
        if (open.isPresent() && open.getAsLong() < to) {
            return new AdvanceResult.HeldBack(open.getAsLong()).toString();
        }
        OptionalLong from = cursor;
        cursor = OptionalLong.of(to);
        return new AdvanceResult.Advanced(from, to).toString();
    }

    Object reset(OptionalLong expected, long to) {
        if (!expected.equals(position())) {
            return new ResetResult.Unexpected(position()).toString();
        }
        OptionalLong from = cursor;
        cursor = OptionalLong.of(to);
        return new ResetResult.Done(from, to, position().orElseThrow()).toString();
    }

    Object remove() {
        if (openCount() > 0) {
            return new RemoveResult.HasOpen(openCount()).toString();
        }
        boolean existed = cursor.isPresent();
        cursor = OptionalLong.empty();
        return new RemoveResult.Removed(existed).toString();
    }

    Object withdraw() {
        long open = openCount();
        messages.clear();
        cursor = OptionalLong.empty();
        return "swept " + open;
    }

    /** One message of a poll that begins at {@code from}. */
    Object open(long from, long offset, Instant now, Instant due) {
        if (cursor.isEmpty()) {
            cursor = OptionalLong.of(from);
        }
        long at = cursor.getAsLong();
        if (at < from) {
            return new OpenResult.OutOfOrder(at).toString();
        }
        Message present = messages.get(offset);
        if (present != null && present.isOpen()) {
            cursor = OptionalLong.of(Math.max(at, offset + 1));
            return "alreadyopen";
        }
        if (offset < at) {
            return new OpenResult.AlreadySettled().toString();
        }
        messages.put(offset, new Message(due));
        cursor = OptionalLong.of(offset + 1);
        return "opened";
    }

    void given(long offset, Receipt receipt, Instant until) {
        Message message = messages.get(offset);
        if (message != null) {
            message.receipts.add(receipt);
            message.current = true;
            message.due = until;
        }
    }

    List<Long> due(Instant now) {
        return messages.entrySet().stream()
                .filter(each -> each.getValue().isOpen() && !each.getValue().due.isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** One of those that were given for a message, unless it was settled long ago. */
    Optional<Receipt> receipt(long offset, int back, Instant now) {
        Message message = messages.get(offset);
        if (message == null
                || message.receipts.size() <= back
                || (!message.isOpen() && message.settledAt.plus(REMEMBERED).isBefore(now))) {
            return Optional.empty();
        }
        return Optional.of(message.receipts.get(message.receipts.size() - 1 - back));
    }

    private Message message(long offset) {
        Message message = messages.get(offset);
        if (message == null) {
            throw new IllegalStateException("no message " + offset + " was opened");
        }
        return message;
    }

    private void settle(long offset, Message message, State state, Instant now) {
        message.state = state;
        message.settledAt = now;
        if (state == State.DEAD_LETTERED) {
            letters.add(offset);
            afterLetters = Math.max(afterLetters, offset + 1);
        }
    }

    private static String settled(State how) {
        return new Refused.Settled(how == State.ACKED ? Refused.How.ACKED : Refused.How.DEAD_LETTERED).toString();
    }

    Object ack(long offset, Receipt receipt, Instant now) {
        Message message = message(offset);
        if (!message.isOpen()) {
            boolean same = message.state == State.ACKED && message.isLast(receipt);
            return same ? "duplicate" : settled(message.state);
        }
        if (!message.current || !message.isLast(receipt)) {
            return "stale";
        }
        settle(offset, message, State.ACKED, now);
        return "acked, at " + position();
    }

    Object nack(long offset, Receipt receipt, Retry retry, Instant now) {
        Message message = message(offset);
        boolean last = message.isLast(receipt);
        if (!message.isOpen()) {
            return last && message.state == State.DEAD_LETTERED ? "deadlettered" : settled(message.state);
        }
        if (!message.current) {
            return last ? "rescheduled after " + message.failures : "stale";
        }
        if (!last) {
            return "stale";
        }
        message.failures++;
        if (message.failures >= retry.maxFailures()) {
            settle(offset, message, State.DEAD_LETTERED, now);
            return "deadlettered";
        }
        message.current = false;
        message.due = now.plus(retry.delay(message.failures));
        return "rescheduled after " + message.failures;
    }

    Object deadLetter(long offset, Receipt receipt, Instant now) {
        Message message = message(offset);
        boolean last = message.isLast(receipt);
        if (!message.isOpen()) {
            return last && message.state == State.DEAD_LETTERED ? "deadlettered" : settled(message.state);
        }
        if (!message.current || !last) {
            return "stale";
        }
        settle(offset, message, State.DEAD_LETTERED, now);
        return "deadlettered";
    }

    /** Whether there was one. */
    boolean purge(long offset) {
        return letters.remove(offset);
    }

    List<Long> letters() {
        return List.copyOf(letters);
    }

    Set<String> open() {
        Set<String> open = new TreeSet<>();
        messages.forEach((offset, message) -> {
            if (message.isOpen()) {
                open.add(offset + " failed " + message.failures + ", handed out " + message.receipts.size()
                        + ": message " + offset);
            }
        });
        return open;
    }
}
