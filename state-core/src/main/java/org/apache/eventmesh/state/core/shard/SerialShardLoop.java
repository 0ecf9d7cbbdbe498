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
package org.apache.eventmesh.state.core.shard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Report;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.core.owner.Validity;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn after the other: take what waits, read what it needs, decide it, commit it, and when its fate is known tell the
 * callers. A turn waits for nobody: its steps run on the core's threads, one at a time, each started by the end of the one
 * before.
 */
final class SerialShardLoop implements ShardLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SerialShardLoop.class);

    /** Operations of one turn: more would keep the first of them waiting, and gain nothing. */
    private static final int MOST = 1024;

    private final Token<Partition> token;
    private final Backend backend;
    private final Sides sides;
    private final ShardSettings settings;
    private final Consumer<SerialShardLoop> onLost;
    private final Inbox inbox = new Inbox();
    private final Turning turning;
    private final Told watermark;
    private final Housekeeping housekeeping;
    private final Tenure tenure;
    private final Unopened unopened = new Unopened();
    private volatile @Nullable LoadedShard shard;

    // What follows is for the one thread that turns.

    /** What an operation turned out to need beyond what it had named. */
    private final Set<Bytes> missing = new LinkedHashSet<>();

    /** Less after a conflict, so that an operation on a contended record holds up few others. */
    private int most = MOST;

    /** @param onLost runs once, when the token is known not to be current any more */
    SerialShardLoop(
            Token<Partition> token,
            Sides sides,
            ShardSettings settings,
            TokenFate fate,
            Consumer<SerialShardLoop> onLost) {
        this.token = token;
        this.sides = sides;
        this.backend = sides.local();
        this.settings = settings;
        this.onLost = onLost;
        this.watermark = new Told(backend.engine()::syncedRevision);
        this.tenure = new Tenure(token, fate, backend.callbacks());
        this.turning = new Turning(
                backend.workers(),
                backend.engine().nonBlocking(),
                inbox,
                operations -> guarded(() -> turn(operations)));
        this.housekeeping = new Housekeeping(this, turning::wake);
    }

    @Override
    public Token<Partition> token() {
        return token;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Sides sides() {
        return sides;
    }

    @Override
    public ShardSettings settings() {
        return settings;
    }

    @Override
    public Optional<Fenced> past() {
        return tenure.past();
    }

    @Override
    public boolean valid() {
        return tenure.valid();
    }

    @Override
    public long committed() {
        return Optional.ofNullable(shard).map(LoadedShard::committed).orElse(0L);
    }

    @Override
    public Optional<OutstandingRecord> outstanding(long number) {
        return Optional.ofNullable(shard).flatMap(now -> now.outstanding(number));
    }

    @Override
    public Optional<OpenDelivery> givenUp(long number) {
        return Optional.ofNullable(shard).flatMap(now -> now.givenUp(number));
    }

    @Override
    public Unopened unopened() {
        return unopened;
    }

    @Override
    public OptionalLong watermark() {
        return watermark.get();
    }

    @Override
    public <T> T look(Function<ShardIndex, T> view) {
        LoadedShard now = shard;
        return now == null ? view.apply(new ShardIndex(token.scope())) : now.look(view);
    }

    @Override
    public <R> CompletionStage<R> submit(ShardOperation<R> operation, Follow<R> follow) {
        Pending<R> pending = new Pending<>(operation, inbox);
        Ask<R> ask = backend.ask(new Operation(operation.store(), operation.name(), token.scope()), pending);
        pending.answer(new AskAnswer<>(ask, operation, follow));
        if (pending.waiting()) {
            inbox.add(pending);
            turning.begin(pending);
        }
        return ask.stage();
    }

    @Override
    public <R> Pending<R> enqueue(ShardOperation<R> operation, Pending.Answer<R> answer) {
        Pending<R> pending = new Pending<>(operation, inbox);
        pending.answer(answer);
        add(pending);
        return pending;
    }

    @Override
    public void together(Runnable enqueues) {
        // taking needs the same monitor
        synchronized (inbox) {
            enqueues.run();
        }
    }

    @Override
    public CompletionStage<Fenced> fenced(Operation asked, Fenced how) {
        lost(how);
        return tenure.spend(asked, how);
    }

    /** A watch has shown that the token is not current any more. */
    void lost(Fenced how) {
        if (loseOnce(how)) {
            turning.wake();
        }
    }

    private void add(Pending<?> pending) {
        if (pending.waiting()) {
            inbox.add(pending);
            turning.wake();
        }
    }

    /** A bug must not stop the loop for ever: what was decided is given up, and the truth is loaded again. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            reload();
            turning.rest();
            Report.error(LOG, "the loop of " + token.scope() + " met a bug; it loads its shard again", e);
        }
    }

    /** Goes on with what a stage completes with, on a thread of the core. */
    private <T> void then(CompletionStage<T> stage, BiConsumer<T, @Nullable Throwable> next) {
        backend.workers().then(stage, (value, failure) -> guarded(() -> next.accept(value, failure)));
    }

    /** @param operations at most */
    private void turn(int operations) {
        Optional<Fenced> past = tenure.past();
        if (past.isPresent()) {
            inbox.take(Integer.MAX_VALUE).forEach(pending -> tenure.tell(pending, past.get()));
            turning.rest();
            return;
        }
        if (!tenure.valid()) {
            confirm();
            return;
        }
        LoadedShard present = shard;
        if (present == null) {
            load();
            return;
        }
        List<Pending<?>> batch = inbox.take(Math.min(operations, most));
        if (batch.isEmpty()) {
            housekeeping.look(present);
            turning.rest();
            return;
        }
        Batch wanted = new Batch();
        missing.forEach(wanted::read);
        batch = wanted.prepared(batch, present.index());
        List<Bytes> keys = wanted.keys();
        if (keys.isEmpty()) {
            decide(present, batch, Fetched.NOTHING);
        } else {
            read(present, batch, keys);
        }
    }

    /**
     * The token may be valid again, as after a renewal; if not, nothing of what waits is applied. What came after the look
     * began may have come after a renewal, of which the look says nothing.
     */
    private void confirm() {
        Set<Pending<?>> before = inbox.present();
        then(tenure.look(), (answer, failure) -> {
            if (answer instanceof Validity.Answer.Past past) {
                loseOnce(past.fenced());
            } else if (!(answer instanceof Validity.Answer.Valid)) {
                Failures.all(inbox.take(before), Failures.notValid(token, failure));
                turning.rest();
                return;
            }
            turning.next();
        });
    }

    private void read(LoadedShard present, List<Pending<?>> batch, List<Bytes> keys) {
        then(backend.engine().read(keys), (found, failure) -> {
            if (failure == null) {
                decide(present, batch, new Fetched(keys, found));
            } else {
                Failures.all(batch, failure);
                turning.next();
            }
        });
    }

    private void decide(LoadedShard present, List<Pending<?>> batch, Fetched fetched) {
        Decided decided = present.decide(batch, fetched);
        inbox.putBack(decided.rest());
        decided.failed().forEach(failed -> failed.operation().fail(failed.failure()));
        if (!decided.operations().isEmpty() || !decided.failed().isEmpty()) {
            missing.clear();
        }
        if (decided.missing() != null) {
            missing.add(decided.missing());
        }
        if (decided.operations().isEmpty()) {
            present.failed(decided);
            turning.next();
            return;
        }
        then(backend.queue().write(decided.commit(), decided.level()).fate(), (fate, failure) -> {
            if (failure != null) {
                failed(present, decided, failure);
            } else {
                fate(present, decided, fate);
            }
            turning.next();
        });
    }

    private void fate(LoadedShard present, Decided decided, CommitResult fate) {
        if (fate instanceof CommitResult.Applied applied) {
            present.applied(decided, applied.revision());
            backend.wrote(decided.commit(), applied.revision());
            most = Math.min(MOST, 2 * most);
            decided.operations().forEach(Pending::tell);
            housekeeping.look(present);
        } else if (fate instanceof CommitResult.Refused refused) {
            refused(present, decided, refused.current());
        } else {
            failed(present, decided, new IllegalStateException("a commit without leases had the fate " + fate));
        }
    }

    private void refused(LoadedShard present, Decided decided, List<Entry> current) {
        present.failed(decided);
        Optional<Fenced> past = present.fence().held().fenced(current);
        if (past.isPresent()) {
            loseOnce(past.get());
            decided.operations().forEach(pending -> tenure.tell(pending, past.get()));
            return;
        }
        decided.operations().forEach(Pending::giveBack);
        inbox.putBack(decided.operations());
        most = Math.max(1, most / 2);
        Condition broken = Failures.broken(decided.commit().conditions(), current);
        if (broken.key().equals(present.fence().loaded().key())) {
            reload();
        }
        ShardOperation<?> first = decided.operations().get(0).operation();
        backend.callbacks().tell(to -> to.conflicting(first.store(), first.name(), KeyText.of(broken.key())));
    }

    private void failed(LoadedShard present, Decided decided, Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        present.failed(decided);
        if (!(cause instanceof StateStoreException known) || !known.certainlyNotApplied()) {
            reload();
        }
        decided.operations().forEach(pending -> pending.fail(cause));
    }

    private void load() {
        then(new ShardLoad(backend, token, tenure.incarnation()).start(), (outcome, failure) -> {
            if (failure != null) {
                Failures.all(inbox.take(Integer.MAX_VALUE), Failures.notLoaded(failure));
                turning.rest();
                return;
            }
            if (outcome instanceof ShardLoad.Outcome.Loaded loaded) {
                loaded(loaded);
            } else if (outcome instanceof ShardLoad.Outcome.Lost past) {
                loseOnce(past.fenced());
            }
            turning.next();
        });
    }

    private void loaded(ShardLoad.Outcome.Loaded loaded) {
        LoadedShard present = new LoadedShard(loaded, settings, sides, watermark);
        shard = present;
        housekeeping.loaded(present);
        if (tenure.past().isPresent()) {
            // it was lost while its pages were read, when there was nothing to forget yet
            housekeeping.stop();
            reload();
        }
    }

    private void reload() {
        forget();
        shard = null;
    }

    private void forget() {
        Optional.ofNullable(shard).ifPresent(LoadedShard::forget);
    }

    private boolean loseOnce(Fenced how) {
        if (!tenure.end(how)) {
            return false;
        }
        forget();
        housekeeping.stop();
        onLost.accept(this);
        return true;
    }
}
