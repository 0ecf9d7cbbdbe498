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
package org.apache.eventmesh.state.core.set;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.eventmesh.state.Reconciled;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.deadletter.DeadLetters;
import org.apache.eventmesh.state.core.deadletter.KeptReplayResults;
import org.apache.eventmesh.state.core.deadletter.QueuedReplays;
import org.apache.eventmesh.state.core.deadletter.Replays;
import org.apache.eventmesh.state.core.delivery.ClaimFate;
import org.apache.eventmesh.state.core.delivery.Recovery;
import org.apache.eventmesh.state.core.delivery.ShardDeliveries;
import org.apache.eventmesh.state.core.home.HomeParting;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.offset.Offsets;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.session.Sessions;
import org.apache.eventmesh.state.core.shard.OpenBudget;
import org.apache.eventmesh.state.core.shard.Registry;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardSettings;
import org.apache.eventmesh.state.core.subscription.Subscriptions;
import org.apache.eventmesh.state.core.task.Tasks;
import org.apache.eventmesh.state.deadletter.DeadLetterStore;
import org.apache.eventmesh.state.delivery.DeliveryStateStore;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Ownership;
import org.apache.eventmesh.state.session.SessionStore;
import org.apache.eventmesh.state.subscription.SubscriptionStore;
import org.apache.eventmesh.state.task.TaskStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Six stores over one engine or two: what they share, and the order in which it ends. */
final class OpenStoreSet implements StateStores {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStoreSet.class);

    /** Of the end of a set that nobody uses yet. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final Engine local;
    private final Engine shared;
    private final Duration deadline;
    private final CallbackThreads threads;
    private final Deadlines deadlines;
    private final Sides sides;
    private final Mesh mesh;
    private final Subscriptions subscriptions;
    private final Sessions sessions;
    private final QueuedReplays queuedReplays;
    private final Recovery recovery;
    private final KeptReplayResults replayResults;
    private final DeliveryStateStore deliveries;
    private final OffsetStore offsets;
    private final DeadLetterStore deadLetters;
    private final TaskStore tasks;
    private final HealthReport health;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param shared the same as {@code local} in a set over one backend */
    OpenStoreSet(Engine local, Engine shared, StoreSettings settings) {
        this.local = local;
        this.shared = shared;
        this.deadline = settings.deadline();
        // what is made starts threads and watches, which must not outlive a set that was refused
        Deque<Runnable> begun = new ArrayDeque<>();
        try {
            this.threads = CallbackThreads.of(settings);
            begun.push(threads::close);
            this.deadlines = new Deadlines(settings.ticker(), settings.deadline());
            begun.push(deadlines::close);
            Callbacks callbacks = new Callbacks(threads.stages(), threads.listeners(), settings.listener());
            int outstanding = settings.limits().outstanding();
            Backend first = new Backend(local, deadlines, callbacks, outstanding);
            begun.push(() -> first.close(AT_ONCE));
            this.sides =
                    new Sides(first, shared == local ? first : new Backend(shared, deadlines, callbacks, outstanding));
            if (sides.two()) {
                begun.push(() -> sides.shared().close(AT_ONCE));
            }
            Backend backend = sides.shared();
            this.mesh = new Mesh(backend, settings.clock());
            begun.push(() -> mesh.close(AT_ONCE));
            int attributeBytes = settings.limits().payloadBytes();
            this.subscriptions = new Subscriptions(backend, mesh, settings.clock(), attributeBytes);
            begun.push(subscriptions::close);
            this.sessions = new Sessions(backend, mesh, settings.clock(), settings.keepAliveInterval(), attributeBytes);
            begun.push(sessions::close);
            Registry shards = new Registry(sides, shardSettings(settings), new ClaimFate(mesh.claims(), !sides.two()));
            Replays replays = new Replays(backend, shards, settings.clock());
            this.queuedReplays = new QueuedReplays(backend, replays);
            begun.push(queuedReplays::close);
            this.replayResults = new KeptReplayResults(backend, settings.clock());
            begun.push(replayResults::close);
            Positions positions = new Positions();
            if (sides.two()) {
                mesh.claims().ending(Partition.class, new HomeParting(sides, shards, positions));
            }
            this.recovery = new Recovery(sides, shards, positions);
            begun.push(() -> recovery.close(AT_ONCE));
            this.deliveries = new ShardDeliveries(sides, mesh.claims(), shards, positions, this::loaded);
            this.offsets = new Offsets(sides, shards, positions);
            this.deadLetters = new DeadLetters(backend, replays);
            this.tasks = new Tasks(backend, mesh.claims(), shards, settings.limits(), settings.clock());
            this.health = new HealthReport(
                    local,
                    shared,
                    callbacks,
                    this::backAgain,
                    Map.<StoreName, Supplier<Duration>>of(
                            StoreName.SUBSCRIPTIONS, subscriptions::age, StoreName.SESSIONS, sessions::age));
        } catch (RuntimeException | Error e) {
            end(begun, e);
            throw e;
        }
    }

    private static void end(Deque<Runnable> begun, Throwable why) {
        for (Runnable each : begun) {
            try {
                each.run();
            } catch (RuntimeException | Error e) {
                why.addSuppressed(e);
            }
        }
    }

    private static ShardSettings shardSettings(StoreSettings settings) {
        return new ShardSettings(
                settings.durability(),
                settings.limits(),
                settings.settledMarks(),
                settings.clock(),
                new OpenBudget(settings.limits().openDeliveries()));
    }

    @Override
    public CompletionStage<Member> join(String instance, Duration lease) {
        Check.given("instance", instance);
        Check.given("lease", lease);
        return mesh.members().join(instance, lease);
    }

    @Override
    public Ownership ownership() {
        return mesh.reading();
    }

    @Override
    public OffsetStore offsets() {
        return offsets;
    }

    @Override
    public SubscriptionStore subscriptions() {
        return subscriptions;
    }

    @Override
    public DeliveryStateStore deliveries() {
        return deliveries;
    }

    @Override
    public SessionStore sessions() {
        return sessions;
    }

    @Override
    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    @Override
    public TaskStore tasks() {
        return tasks;
    }

    @Override
    public CompletionStage<Reconciled> reconcile() {
        // what was begun goes on when nobody waits for it any more
        Ask<Reconciled> ask = sides.shared().ask(new Operation(StoreName.DELIVERIES, "reconcile"), () -> false);
        finish().whenComplete((finished, failure) -> {
            if (failure == null) {
                ask.answer(finished);
            } else {
                ask.fail(failure);
            }
        });
        return ask.stage();
    }

    @Override
    public CompletionStage<Path> checkpoint(Path directory) {
        Check.given("directory", directory);
        Check.that(
                directory.getFileSystem().equals(FileSystems.getDefault()),
                "the directory %s of a checkpoint is in %s; name one in a file system of this machine",
                directory,
                directory.getFileSystem());
        Path absolute = directory.toAbsolutePath();
        // what was begun goes on when nobody waits for it any more
        Ask<Path> ask = sides.local().ask(new Operation(StoreName.DELIVERIES, "checkpoint", absolute), () -> false);
        if (!ask.answered()) {
            sides.local()
                    .call(engine -> engine.checkpoint(absolute))
                    .whenComplete((written, failure) -> answer(ask, absolute, failure));
        }
        return ask.stage();
    }

    private static void answer(Ask<Path> ask, Path written, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            ask.answer(written);
        } else if (cause instanceof UnsupportedOperationException none) {
            ask.refuse(none);
        } else {
            ask.fail(cause);
        }
    }

    /** A failure of the first part keeps the second from nothing, and fails the stage in the end. */
    private CompletionStage<Reconciled> finish() {
        CompletionStage<Recovery.Finished> recovered = recovery.reconcile();
        return recovered
                .handle((finished, failure) -> failure == null)
                .thenCompose(all -> queuedReplays.finish())
                .thenCombine(
                        recovered,
                        (replays, finished) -> new Reconciled(
                                replays + finished.replays(),
                                finished.letters(),
                                finished.tasks(),
                                finished.positions()));
    }

    private CompletionStage<Boolean> loaded(ShardLoop loop) {
        return recovery.loaded(loop).thenApply(finished -> {
            queuedReplays.claimed(loop.token().scope());
            return finished;
        });
    }

    /** A backend is there again: what it kept from being finished is finished now. */
    private void backAgain() {
        finish().whenComplete((finished, failure) -> {
            if (failure != null) {
                LOG.debug("not everything could be finished when the backend came back; it is tried again", failure);
            } else if (!finished.equals(Reconciled.NOTHING)) {
                LOG.info("finished what an outage had left: {}", finished);
            }
        });
    }

    @Override
    public Map<StoreName, Health> health() {
        return health.now();
    }

    /** From the outside inwards: what starts work ends first, the engine last, the answers' threads after it. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        long begin = System.nanoTime();
        long end = begin + deadline.toNanos();
        // the engines have the rest: one that is busy with its disk wants to give back what it holds
        long calls = begin + deadline.dividedBy(4).multipliedBy(3).toNanos();
        health.close();
        queuedReplays.close();
        recovery.close(left(calls));
        replayResults.close();
        subscriptions.close();
        sessions.close();
        mesh.close(left(calls));
        sides.local().close(left(calls));
        if (sides.two()) {
            sides.shared().close(left(calls));
        }
        deadlines.close();
        closeEngines(System.nanoTime() + left(end).toNanos());
        threads.close();
    }

    private void closeEngines(long end) {
        EngineEnd first = EngineEnd.begin(local, sides.local().name());
        if (sides.two()) {
            EngineEnd second = EngineEnd.begin(shared, sides.shared().name());
            try {
                first.await(end);
            } finally {
                second.await(end);
            }
        } else {
            first.await(end);
        }
    }

    /** At least a moment, so that a slow step does not take the next one's chance. */
    private static Duration left(long end) {
        return Duration.ofNanos(
                Math.max(end - System.nanoTime(), Duration.ofMillis(100).toNanos()));
    }
}
