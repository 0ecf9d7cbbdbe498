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
package org.apache.eventmesh.state;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.deadletter.DeadLetterStore;
import org.apache.eventmesh.state.delivery.DeliveryStateStore;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Ownership;
import org.apache.eventmesh.state.session.SessionStore;
import org.apache.eventmesh.state.subscription.SubscriptionStore;
import org.apache.eventmesh.state.task.TaskStore;

/**
 * The six stores of one runtime process over one backend or two. Safe for any number of threads.
 *
 * <p>Every operation but opening, closing and views returns a {@link CompletionStage}, never blocks its caller, and
 * completes by the deadline of the settings. Stages complete on the callback executor; cancelling one changes nothing.
 * A decision of a store is a value; a failure is a {@link org.apache.eventmesh.state.failure.StateStoreException}.
 * {@link org.apache.eventmesh.state.result.Await} is the blocking form.
 */
public interface StateStores extends AutoCloseable {
    /**
     * Opens with the default settings: {@code rocksdb:///var/lib/em/state}, for example. Blocks, at most for the
     * deadline and half a second, in which a step that reached the deadline tells what it waited for. What was begun then
     * goes on by itself until it can be given back; the place is free from then on.
     *
     * @throws IllegalArgumentException when the address is malformed, no backend or two are found for its scheme, an
     *     option is unknown or has no such value, the backend is not durable and the settings are of production, the place
     *     is open in this process with other options, or both backends are one place; nothing was changed
     * @throws IllegalStateException when not exactly one implementation of the stores is found, such as
     *     {@code eventmesh-state-core}
     * @throws org.apache.eventmesh.state.failure.IncompatibleFormatException when the place holds something else, or what
     *     another version wrote
     * @throws org.apache.eventmesh.state.failure.CorruptStateException when what it holds is damaged
     * @throws org.apache.eventmesh.state.failure.StoreUnavailableException when the backend cannot be opened, was not by
     *     the deadline, or the calling thread was interrupted, which it still is
     */
    static StateStores open(String uri) {
        return open(StoreSettings.of(uri));
    }

    /**
     * Begins the settings of a set whose offsets and deliveries stand in a backend of this host alone, and all else in
     * one that many runtimes share: {@code StateStores.local("rocksdb:///var/lib/em/state").shared("etcd://h:2379/em").open()}.
     */
    static StoreSettingsBuilder local(String uri) {
        return StoreSettings.builder(uri);
    }

    /** Opens with settings; as {@link #open(String)}. */
    static StateStores open(StoreSettings settings) {
        return StateStoresProvider.installed(settings.places()).open(settings);
    }

    /**
     * Joins as {@code instance} under one lease that every claim of this process shares; the library renews it. Durable.
     * Two processes may join under one name: they are two members. Not idempotent: each call makes a member of its own.
     *
     * @param lease longer than zero and at most 365 days, else {@code IllegalArgumentException}; on etcd it is rounded up to
     *     whole seconds
     */
    CompletionStage<Member> join(String instance, Duration lease);

    Ownership ownership();

    OffsetStore offsets();

    SubscriptionStore subscriptions();

    DeliveryStateStore deliveries();

    SessionStore sessions();

    DeadLetterStore deadLetters();

    TaskStore tasks();

    /**
     * Finishes what a crash or an outage left half done: replays queued for owned shards, and with two backends the
     * steps between them. Idempotent; runs by itself at open, at a claim, and when a backend comes back.
     */
    CompletionStage<Reconciled> reconcile();

    /**
     * Writes a copy of the local backend as it is at one moment into a new directory, while the set is in use: everything
     * that was answered before the call is in it, and of each step all or nothing. Opened at its own address it is a data
     * set of another incarnation: tokens and receipts of this one are fenced there, and no epoch or delivery id is taken
     * for one of here. That is the only copy that may be restored; the document of the backend ({@code docs/rocksdb.md})
     * says how. Of a set over two backends it is the host's own state; the shared backend is saved by its own tools.
     *
     * <p>The directory appears when all of the copy is synced, and not before. Nothing else waits for it. It costs a flush
     * and little more where it is on the file system of the state itself, and reading all of the data elsewhere. When that
     * takes longer than the deadline, the stage fails with {@code OutcomeUnknownException} and the copy is written all the
     * same: when the directory is there, it is complete. Not idempotent: each call names a directory of its own.
     *
     * @param directory does not exist yet, and its parent does
     * @return the absolute path of the directory. Fails with {@code StoreUnavailableException} when it exists, or cannot be
     *     written (no space, no right): then nothing is left of it; and with {@link UnsupportedOperationException} when
     *     this backend writes none: the message says what to use instead
     */
    CompletionStage<Path> checkpoint(Path directory);

    /** Health by store, from a local copy: no network. */
    Map<StoreName, Health> health();

    /**
     * Ends the set; leases of its members are given back. May be called twice and while calls run: these finish or fail
     * with {@link org.apache.eventmesh.state.failure.StoreClosedException}. Blocks, at most for the deadline: calls under
     * way have three quarters of it, its backends the rest. One that is stuck is reported and left behind, and its place
     * stays taken until it comes back.
     */
    @Override
    void close();
}
