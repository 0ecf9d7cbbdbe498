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
package org.apache.eventmesh.state.etcd;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.MemberStatus;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens an engine: finds out at once what is wrong with address, login, certificates, servers or rights. */
final class EtcdOpening {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdOpening.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_ANSWER_BYTES = 64 << 20;
    private static final int INCARNATION_BYTES = 16;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration ONE_TRY = Duration.ofSeconds(3);

    private final EngineConfig config;
    private final EtcdSettings settings;
    private final EtcdAddress address;
    private final long end;

    private EtcdOpening(EngineConfig config, EtcdSettings settings, EtcdAddress address) {
        this.config = config;
        this.settings = settings;
        this.address = address;
        this.end = System.nanoTime() + config.deadline().toNanos();
    }

    static EtcdEngine open(
            EngineConfig config,
            EtcdSettings settings,
            EtcdAddress address,
            Function<ClientSettings, EtcdClient> connect) {
        return new EtcdOpening(config, settings, address).open(connect);
    }

    private EtcdEngine open(Function<ClientSettings, EtcdClient> connect) {
        EtcdClient client = connect.apply(new ClientSettings(
                address.uri(), address.endpoints(), settings.credentials(), settings.tls(), MAX_ANSWER_BYTES));
        try {
            checkServers(client);
            KeySpace keys = new KeySpace(address.prefix());
            Created created = incarnation(client, keys);
            Slots slots = new Slots(client, keys, settings.commitSlots(), ONE_TRY);
            List<Slot> first = answer(() -> slots.after(null));
            return new EtcdEngine(
                    config, settings, client, keys, slots, first, created.incarnation(), created.history());
        } catch (RuntimeException | Error e) {
            client.close();
            throw e;
        }
    }

    private void checkServers(EtcdClient client) {
        // who is not there, or does not let us in, is told at once
        List<MemberStatus> statuses = answer(() -> statuses(client), Failure.LOST);
        for (MemberStatus status : statuses) {
            ServerVersion version = ServerVersion.parse(status.version());
            if (version.compareTo(ServerVersion.OLDEST) < 0 && !settings.allowOldServer()) {
                throw new StoreUnavailableException(config.uri() + " cannot be opened: the etcd server at "
                        + status.endpoint() + " has version \"" + status.version() + "\", and "
                        + ServerVersion.OLDEST + " is the oldest that keeps what watches need; upgrade it, or set"
                        + " etcd.allowOldServer=true and take the risk");
            }
        }
    }

    private CompletionStage<List<MemberStatus>> statuses(EtcdClient client) {
        return client.statuses(left()).exceptionallyCompose(failure -> {
            if (Explained.call(failure).failure() != Failure.PERMISSION) {
                return CompletableFuture.failedStage(failure);
            }
            // what our user may do under its prefix, the next call shows
            LOG.info(
                    "{}: the servers tell their version to administrators alone; it is not looked at. {} is the oldest"
                            + " that keeps what watches need",
                    config.uri(),
                    ServerVersion.OLDEST);
            return CompletableFuture.completedStage(List.of());
        });
    }

    private record Created(String incarnation, History history) {}

    /** Creates the data set if it is not there; the same however often it is tried. */
    private Created incarnation(EtcdClient client, KeySpace keys) {
        byte[] random = new byte[INCARNATION_BYTES];
        RANDOM.nextBytes(random);
        String own = HexFormat.of().formatHex(random);
        Txn create = new Txn(
                List.of(new Compare(keys.incarnation(), 0)),
                List.of(Step.put(keys.incarnation(), Bytes.utf8(own))),
                List.of(new Step.Get(keys.incarnation())));
        TxnAnswer answer = answer(() -> client.transact(create, ONE_TRY));
        String incarnation =
                answer.succeeded() ? own : answer.entries().get(0).value().toUtf8();
        return new Created(incarnation, new History(answer.header()));
    }

    private <T> T answer(Supplier<CompletionStage<T>> call) {
        return answer(call, Failure.LOST, Failure.NOT_SENT);
    }

    /**
     * Asks until there is an answer.
     *
     * @param passing the failures that may pass
     */
    private <T> T answer(Supplier<CompletionStage<T>> call, Failure... passing) {
        while (true) {
            try {
                return once(call.get());
            } catch (EtcdCallException e) {
                if (!List.of(passing).contains(e.failure()) || end - System.nanoTime() < AGAIN_NANOS) {
                    throw refused(e);
                }
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
    }

    private <T> T once(CompletionStage<T> call) {
        try {
            return call.toCompletableFuture().get(left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Explained.call(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new EtcdCallException(
                    Failure.LOST, "open " + config.uri() + ": no answer within " + config.deadline(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(config.uri() + " was not opened: the thread was interrupted", e);
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
    }

    private StateStoreException refused(EtcdCallException e) {
        return new StoreUnavailableException(
                config.uri() + " cannot be opened: " + e.what() + "; " + Explained.advice(e), e);
    }
}
