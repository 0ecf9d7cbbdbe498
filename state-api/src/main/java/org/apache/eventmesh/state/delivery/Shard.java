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
package org.apache.eventmesh.state.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Handle;
import org.apache.eventmesh.state.result.Outcome;

/**
 * An owned partition: no call can forget the token or name the wrong partition. Every write is checked against the
 * token in its own commit.
 *
 * <p>Open, ack, nack, hand-out, release and confirm are durable at the level that the store set was opened with;
 * dead-lettering, withdrawal and discarding are always synced.
 */
public interface Shard extends Handle<Partition> {
    /** Watermark, read position, counts, next due time: a local copy that holds committed facts only. */
    ShardView view();

    /**
     * Opens one poll of the broker: makes its deliveries durable, hands them to the receivers named in the batch, moves
     * the readers' cursors over the range and makes the fan-outs. Each message's deliveries of one reader commit in the
     * order of offsets; after a failure the rest of the range is refused.
     *
     * <p>Idempotent by message and subscriber: after any failure read again from {@link OpenReport#readNext()} and open
     * again. Fails as a whole only when the store set is closed, or when nobody wants anything of the batch: then no
     * element could say so. Else {@code LimitExceededException} and {@code OverloadedException} are outcomes of their
     * elements.
     */
    CompletionStage<OpenReport> open(OpenBatch batch);

    /**
     * Settles a delivery: retires it, moves its subscriber's position and counts its fan-out down, in one atomic step.
     * A repeat under the same key is {@code Duplicate} with the first result.
     *
     * <p>In a store set over two backends the task that the delivery carries follows in the shared one; while that is away
     * the ack fails with {@code OutcomeUnknownException}, is durable here, and the task follows by itself.
     *
     * @throws IllegalArgumentException on the caller, when the receipt is of another partition
     */
    CompletionStage<AckResult> ack(Ack ack);

    /**
     * Many acks in few commits; outcomes in order, each ack atomic by itself.
     *
     * @throws IllegalArgumentException on the caller, when one receipt is of another partition; then none is acked: sort
     *     them by {@link Receipt#partition} first
     */
    CompletionStage<List<Outcome<AckResult>>> ackAll(Collection<Ack> acks);

    /**
     * Ends a hand-out: due again as {@code retry} says, or dead-lettered in the same step when its failures are used
     * up. A repeat with the same receipt gives the first result, until the next hand-out.
     *
     * @throws IllegalArgumentException on the caller, when the receipt is of another partition
     */
    CompletionStage<NackResult> nack(Nack nack, Retry retry);

    /**
     * Many nacks in few commits; outcomes in order, each nack atomic by itself.
     *
     * @throws IllegalArgumentException on the caller, when one receipt is of another partition; then none is nacked: sort
     *     them by {@link Receipt#partition} first
     */
    CompletionStage<List<Outcome<NackResult>>> nackAll(Collection<Nack> nacks, Retry retry);

    /**
     * Gives up a delivery that this hand-out still holds: dead letter, retirement, fan-out and position in one step.
     * Idempotent: a repeat with the same receipt gives the first result.
     *
     * <p>In a store set over two backends it fails with {@code OutcomeUnknownException} while the shared one is away: then
     * nobody gets the delivery any more, it stays open, and it becomes a dead letter by itself when that is back.
     *
     * @param reason for people; at most 4096 bytes in UTF-8, else
     *     {@link org.apache.eventmesh.state.failure.LimitExceededException}
     * @throws IllegalArgumentException on the caller, when the receipt is of another partition
     */
    CompletionStage<NackResult> deadLetter(Receipt receipt, String reason);

    /**
     * Hands out due deliveries in due order, each under a new hand-out epoch, until {@code limit} are given or none is
     * due. Deliveries whose hand-outs are used up (a setting) are dead-lettered instead; deliveries of final tasks are
     * withdrawn. A repeat after a failure may hand out others: what the first call gave is due again when its lease
     * ends. When the shard is lost, or the time is over, after some were given, the answer has those: push them, the new
     * owner takes their acknowledgements.
     *
     * @param limit at least 1
     * @param lease how long the receivers have, longer than zero; afterwards the delivery is due again, under a new epoch
     */
    CompletionStage<HandOutResult> handOut(int limit, Duration lease, Route route);

    /**
     * Makes due at once what the receiver's client held in this session or an older one; a newer session keeps what it
     * holds. Raises the hand-out epochs. Idempotent.
     */
    CompletionStage<SweepResult> release(Receiver receiver);

    /** The same for every receiver that was connected to an instance. */
    CompletionStage<SweepResult> releaseInstance(String instance);

    /**
     * Settles every delivery of a subscriber that is gone, targets that were not opened yet included, and ends its
     * entry: it is forgotten and holds no watermark. An open that began before opens nothing more for it. Idempotent;
     * a repeat counts what it withdrew itself.
     */
    CompletionStage<SweepResult> withdraw(Subscriber subscriber);

    /**
     * Fan-outs that are wholly settled and not confirmed, oldest first; synced facts only.
     *
     * @param limit at least 1, else {@code IllegalArgumentException}
     */
    CompletionStage<List<FanOut>> completed(int limit);

    /**
     * Forgets completed fan-outs after the broker has accepted their acknowledgement; one whose broker handle was
     * replaced meanwhile stays. Idempotent.
     *
     * @throws IllegalArgumentException on the caller, when one is of another partition; then none is forgotten
     */
    CompletionStage<SweepResult> confirm(Collection<FanOut> acknowledged);

    /**
     * Gives up an open delivery that hand-outs report as unreadable, which counts as open until then: its record, its
     * payload or its task cannot be decoded, or it is too large to be dead-lettered. An operator's decision to lose it; a
     * task that it carried stays as it is. Idempotent.
     *
     * @throws IllegalArgumentException on the caller, when the delivery is of another partition
     */
    CompletionStage<DiscardResult> discard(DeliveryId unreadable);
}
