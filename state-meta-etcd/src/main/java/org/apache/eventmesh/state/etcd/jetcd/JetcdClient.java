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
package org.apache.eventmesh.state.etcd.jetcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Consistency;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Granted;
import org.apache.eventmesh.state.etcd.client.MemberStatus;
import org.apache.eventmesh.state.etcd.client.Range;
import org.apache.eventmesh.state.etcd.client.RangeAnswer;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.etcd.client.WatchSink;
import org.apache.eventmesh.state.etcd.client.WatchStream;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The calls by the stubs that jetcd generates from etcd's protocol, on channels of our own. jetcd's own client has no
 * deadlines, sends writes again, resumes watches by itself, and needs Vert.x with another Netty than gRPC's.
 */
public final class JetcdClient implements EtcdClient {
    /** A watch has no deadline; its login has. */
    private static final Duration LOGIN_OF_WATCH = Duration.ofSeconds(10);

    /** For so long after the first one members may tell their state: one that hangs must not use up all the time. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final String cluster;
    private final Connector connector;
    private final Members members;
    private final Login login;
    private final Calls calls;
    private final Watchdog watchdog;
    private volatile boolean closed;

    private JetcdClient(ClientSettings settings) {
        cluster = settings.name();
        connector = new Connector(settings);
        try {
            members = new Members(settings.endpoints(), connector);
        } catch (RuntimeException | Error e) {
            connector.close();
            throw e;
        }
        login = new Login(cluster, settings.credentials());
        calls = new Calls(cluster, members, login);
        watchdog = new Watchdog(cluster, members, connector.network());
    }

    /**
     * Makes a client; connections are made when a call needs one.
     *
     * @throws IllegalArgumentException when a file of the TLS settings, or the name of a host, cannot be used
     */
    public static EtcdClient connect(ClientSettings settings) {
        return new JetcdClient(settings);
    }

    @Override
    public CompletionStage<TxnAnswer> transact(Txn txn, Duration deadline) {
        return calls.call("transact in", KVGrpc.getTxnMethod(), Messages.request(txn), true, deadline)
                .thenApply(Messages::answer);
    }

    @Override
    public CompletionStage<RangeAnswer> range(Range range, Duration deadline) {
        boolean leader = range.consistency() == Consistency.LINEARIZABLE;
        return calls.call("read", KVGrpc.getRangeMethod(), Messages.request(range), leader, deadline)
                .thenApply(Messages::answer);
    }

    @Override
    public CompletionStage<Void> checkHistory(Bytes key, long revision, Duration deadline) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(Messages.bytes(key))
                .setRevision(revision)
                .setKeysOnly(true)
                .build();
        return calls.call("look at the history of", KVGrpc.getRangeMethod(), request, true, deadline)
                .thenAccept(answer -> {});
    }

    @Override
    public WatchStream watch(KeyRange range, long fromRevision, WatchSink sink) {
        Member member = members.choose();
        CompletionStage<String> token = login.token(member, LOGIN_OF_WATCH).token();
        String asked = "watch " + cluster + " at " + member.endpoint();
        DeferredWatch watch = new DeferredWatch();
        token.whenComplete((known, failure) -> {
            JetcdWatch stream = new JetcdWatch(asked, sink, login, known == null ? "" : known);
            watch.is(stream);
            if (failure != null) {
                stream.failed(known(asked, failure));
            } else if (closed) {
                stream.failed(new EtcdCallException(Failure.CLOSED, asked + ": the client is closed", null));
            } else {
                stream.start(member, range, fromRevision);
            }
        });
        return watch;
    }

    @Override
    public CompletionStage<Granted> grant(long seconds, Duration deadline) {
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(seconds).build();
        return calls.call("grant a lease in", LeaseGrpc.getLeaseGrantMethod(), request, true, deadline)
                .thenApply(answer -> new Granted(Messages.header(answer.getHeader()), answer.getID(), answer.getTTL()));
    }

    @Override
    public CompletionStage<Long> keepAliveOnce(long lease, Duration deadline) {
        LeaseKeepAliveRequest request =
                LeaseKeepAliveRequest.newBuilder().setID(lease).build();
        return calls.call("keep a lease alive in", LeaseGrpc.getLeaseKeepAliveMethod(), request, true, deadline)
                .thenApply(answer -> Math.max(0, answer.getTTL()));
    }

    @Override
    public CompletionStage<Long> timeToLive(long lease, Duration deadline) {
        LeaseTimeToLiveRequest request =
                LeaseTimeToLiveRequest.newBuilder().setID(lease).build();
        return calls.call("ask for a lease of", LeaseGrpc.getLeaseTimeToLiveMethod(), request, true, deadline)
                // the server rounds down, says -1 of what has ended, and less of what it has yet to end
                .thenApply(answer -> answer.getTTL() < 0 ? 0 : answer.getTTL() + 1);
    }

    @Override
    public CompletionStage<Void> revoke(long lease, Duration deadline) {
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease).build();
        return calls.call("end a lease of", LeaseGrpc.getLeaseRevokeMethod(), request, true, deadline)
                .<Void>handle((answer, failure) -> {
                    if (failure != null
                            && known("end a lease of " + cluster, failure).failure() != Failure.NO_LEASE) {
                        throw new CompletionException(failure);
                    }
                    return null;
                });
    }

    @Override
    public CompletionStage<MemberStatus> status(Duration deadline) {
        return calls.call("ask for the status of", MaintenanceGrpc.getStatusMethod(), question(), false, deadline)
                .thenApply(answer -> status("", answer));
    }

    @Override
    public CompletionStage<List<MemberStatus>> statuses(Duration deadline) {
        List<CompletableFuture<MemberStatus>> asked = new ArrayList<>();
        for (Member member : members.all()) {
            asked.add(calls.callOne(
                            member, "ask for the status of", MaintenanceGrpc.getStatusMethod(), question(), deadline)
                    .thenApply(answer -> status(member.endpoint().toString(), answer)));
        }
        return allOrSoon(asked).handle((none, failure) -> {
            List<MemberStatus> answered = asked.stream()
                    .filter(one -> one.isDone() && !one.isCompletedExceptionally())
                    .map(CompletableFuture::join)
                    .toList();
            if (answered.isEmpty() && failure != null) {
                throw new CompletionException(mostTelling(asked));
            }
            return answered;
        });
    }

    /** Of failures of several members: what one of them said, rather than that another could not be reached. */
    private EtcdCallException mostTelling(List<CompletableFuture<MemberStatus>> failed) {
        return failed.stream()
                .map(one -> known(
                        "ask for the status of " + cluster,
                        one.handle((none, failure) -> failure).join()))
                .min(Comparator.comparingInt(failure -> switch (failure.failure()) {
                    case NOT_SENT -> 2;
                    case LOST -> 1;
                    default -> 0;
                }))
                .orElseThrow();
    }

    /** When all are over, or a while after the first of them has succeeded. */
    private CompletionStage<Void> allOrSoon(List<CompletableFuture<MemberStatus>> asked) {
        CompletableFuture<Void> soon = new CompletableFuture<>();
        for (CompletableFuture<MemberStatus> one : asked) {
            var unused = one.thenRun(() -> completeSoon(soon));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]));
        return CompletableFuture.anyOf(all, soon).thenAccept(either -> {});
    }

    private void completeSoon(CompletableFuture<Void> soon) {
        var unused = connector.network().schedule(() -> soon.complete(null), GRACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        calls.close();
        watchdog.close();
        members.all().forEach(Member::close);
        connector.close();
    }

    private static StatusRequest question() {
        return StatusRequest.getDefaultInstance();
    }

    private static MemberStatus status(String endpoint, StatusResponse answer) {
        return new MemberStatus(
                Messages.header(answer.getHeader()),
                endpoint,
                answer.getVersion(),
                answer.getDbSize(),
                answer.getLeader(),
                answer.getIsLearner(),
                List.copyOf(answer.getErrorsList()));
    }

    private static EtcdCallException known(String asked, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof EtcdCallException known
                ? known
                : new EtcdCallException(Failure.LOST, asked + ": " + cause, cause);
    }
}
