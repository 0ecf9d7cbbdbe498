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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.OwnedScope;
import org.apache.eventmesh.state.core.shard.Elements;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.LoopHandle;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Outcome;

/** The caller's handle of a partition: hands operations to its loop. */
final class OwnedShard implements Shard, LoopHandle {
    private final ShardLoop loop;
    private final Positions positions;
    private final OwnedScope<Partition> scope;

    OwnedShard(ShardLoop loop, Claims claims, Positions positions) {
        this.positions = positions;
        this.loop = loop;
        this.scope = new OwnedScope<>(claims, StoreName.DELIVERIES, loop.token());
    }

    @Override
    public ShardLoop loop() {
        return loop;
    }

    @Override
    public Token<Partition> token() {
        return loop.token();
    }

    @Override
    public CompletionStage<Fenced> lost() {
        // who asks first after an answer has said so must not wait for a watch
        return loop.past().map(CompletableFuture::completedStage).orElseGet(scope::lost);
    }

    @Override
    public CompletionStage<Void> release() {
        return scope.release();
    }

    @Override
    public ShardView view() {
        return loop.look(index -> View.of(index, loop.watermark()));
    }

    @Override
    public CompletionStage<OpenReport> open(OpenBatch batch) {
        Check.given("batch", batch);
        return new OpenCall(loop, positions, batch).start();
    }

    @Override
    public CompletionStage<AckResult> ack(Ack ack) {
        Check.given("ack", ack);
        return loop.sides().two() ? loop.submit(acking(ack), Aftermath.ofAck(loop)) : loop.submit(acking(ack));
    }

    @Override
    public CompletionStage<List<Outcome<AckResult>>> ackAll(Collection<Ack> acks) {
        Check.elements("acks", acks);
        return Elements.run(
                loop,
                operation("ack"),
                acks.stream().map(this::acking).toList(),
                loop.sides().two() ? Aftermath.ofAck(loop) : Follow.nothing());
    }

    @Override
    public CompletionStage<NackResult> nack(Nack nack, Retry retry) {
        Check.given("nack", nack);
        Check.given("retry", retry);
        return loop.submit(nacking(nack, retry), givingUp());
    }

    @Override
    public CompletionStage<List<Outcome<NackResult>>> nackAll(Collection<Nack> nacks, Retry retry) {
        Check.elements("nacks", nacks);
        Check.given("retry", retry);
        return Elements.run(
                loop,
                operation("nack"),
                nacks.stream().map(nack -> nacking(nack, retry)).toList(),
                givingUp());
    }

    @Override
    public CompletionStage<NackResult> deadLetter(Receipt receipt, String reason) {
        Check.given("receipt", receipt);
        Check.given("reason", reason);
        Arguments.text("reason", reason);
        return loop.submit(new DeadLetterOperation(ours(receipt), reason), givingUp());
    }

    @Override
    public CompletionStage<HandOutResult> handOut(int limit, Duration lease, Route route) {
        Check.given("lease", lease);
        Check.given("route", route);
        Arguments.limit(limit);
        Arguments.lease(lease);
        return new HandOutCall(loop, limit, lease, route).start();
    }

    @Override
    public CompletionStage<SweepResult> release(Receiver receiver) {
        Check.given("receiver", receiver);
        return sweep(ReleaseStep.of(receiver));
    }

    @Override
    public CompletionStage<SweepResult> releaseInstance(String instance) {
        Check.identifier("instance", instance);
        return sweep(ReleaseStep.ofInstance(instance));
    }

    @Override
    public CompletionStage<SweepResult> withdraw(Subscriber subscriber) {
        Check.given("subscriber", subscriber);
        WithdrawStep step = new WithdrawStep(
                subscriber, task -> loop.backend().callbacks().tell(to -> to.unreadable(StoreName.TASKS, task)));
        return loop.sides().two() ? new SweepCall(loop, step, () -> unpublished(subscriber)).start() : sweep(step);
    }

    @Override
    public CompletionStage<List<FanOut>> completed(int limit) {
        Arguments.limit(limit);
        return loop.submit(new CompletedOperation(loop, limit));
    }

    @Override
    public CompletionStage<SweepResult> confirm(Collection<FanOut> acknowledged) {
        List<FanOut> all = Check.elements("acknowledged", acknowledged);
        all.forEach(fanOut -> ours(fanOut.partition(), "fan-out"));
        return sweep(new ConfirmStep(all));
    }

    @Override
    public CompletionStage<DiscardResult> discard(DeliveryId unreadable) {
        Check.given("unreadable", unreadable);
        ours(unreadable.partition(), "delivery");
        return loop.submit(new DiscardOperation(unreadable));
    }

    private CompletionStage<Optional<Fenced>> unpublished(Subscriber subscriber) {
        Course course = Transition.WITHDRAW.resume(Step.UNPUBLISHED);
        return Aftermath.all(loop).thenCompose(finished -> {
            course.at(Step.UNPUBLISHED);
            // whatever is left, also of others: the next host must not serve this one again
            return positions
                    .remove(loop, subscriber)
                    .thenCompose(fenced -> finished.tell(loop)
                            .interrupted()
                            .<CompletionStage<Optional<Fenced>>>map(CompletableFuture::failedStage)
                            .orElseGet(() -> CompletableFuture.completedStage(fenced)));
        });
    }

    private CompletionStage<SweepResult> sweep(SweepStep step) {
        return new SweepCall(loop, step).start();
    }

    private Follow<NackResult> givingUp() {
        return loop.sides().two() ? Aftermath.ofGivingUp(loop) : Follow.nothing();
    }

    private AckOperation acking(Ack ack) {
        ours(ack.receipt());
        return new AckOperation(ack);
    }

    private NackOperation nacking(Nack nack, Retry retry) {
        ours(nack.receipt());
        return new NackOperation(nack, retry);
    }

    private Receipt ours(Receipt receipt) {
        ours(receipt.partition(), "receipt");
        return receipt;
    }

    private void ours(Partition partition, String what) {
        if (!partition.equals(token().scope())) {
            throw new IllegalArgumentException(
                    "the " + what + " is of " + partition + "; this is the shard " + token().scope());
        }
    }

    private Operation operation(String name) {
        return new Operation(StoreName.DELIVERIES, name, token().scope());
    }
}
