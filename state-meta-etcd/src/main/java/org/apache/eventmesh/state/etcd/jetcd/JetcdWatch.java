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

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.etcd.client.WatchEnd;
import org.apache.eventmesh.state.etcd.client.WatchSink;
import org.apache.eventmesh.state.etcd.client.WatchStream;
import org.jspecify.annotations.Nullable;

/** One watch on one stream of its own; jetcd's own watch resumes by itself and loses what had not arrived. */
final class JetcdWatch extends ClientCall.Listener<WatchResponse> implements WatchStream {
    private static final WatchRequest PROGRESS = WatchRequest.newBuilder()
            .setProgressRequest(WatchProgressRequest.getDefaultInstance())
            .build();

    /**
     * Fields of etcd's protocol that jetcd's copy of it does not name: a large answer comes in parts, so that a long
     * backlog is never larger than what a client takes at once.
     */
    private static final int FRAGMENT_OF_REQUEST = 8;

    private static final int FRAGMENT_OF_ANSWER = 7;
    private static final UnknownFieldSet FRAGMENTS = UnknownFieldSet.newBuilder()
            .addField(
                    FRAGMENT_OF_REQUEST,
                    UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();

    private final String asked;
    private final WatchSink sink;
    private final Login login;
    private final String token;
    private final Sent sent = new Sent();

    /** Guarded by this, as all below: gRPC takes the messages of one call from one thread at a time. */
    private @Nullable ClientCall<WatchRequest, WatchResponse> call;

    private boolean over;
    /** Guarded by telling: {@link #close} and the network may want to tell the end at once. */
    private boolean told;

    private final Object telling = new Object();

    JetcdWatch(String asked, WatchSink sink, Login login, String token) {
        this.asked = asked;
        this.sink = sink;
        this.login = login;
        this.token = token;
    }

    void start(Member member, KeyRange range, long fromRevision) {
        CallOptions options = CallOptions.DEFAULT
                .withOption(CallRules.TOKEN, token)
                .withOption(CallRules.LEADER, true)
                .withStreamTracerFactory(sent);
        WatchRequest create = WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(Messages.bytes(range.from()))
                        .setRangeEnd(Messages.bytes(range.to()))
                        .setStartRevision(fromRevision)
                        .setProgressNotify(true)
                        .setUnknownFields(FRAGMENTS))
                .build();
        ClientCall<WatchRequest, WatchResponse> started = member.channel().newCall(WatchGrpc.getWatchMethod(), options);
        synchronized (this) {
            if (over) {
                started.cancel("closed before it began", null);
                return;
            }
            call = started;
            started.start(this, new Metadata());
            started.request(2);
            started.sendMessage(create);
        }
    }

    @Override
    public void requestProgress() {
        synchronized (this) {
            if (call != null && !over) {
                call.sendMessage(PROGRESS);
            }
        }
    }

    @Override
    public void close() {
        end(new WatchEnd.Closed(), null);
    }

    @Override
    public void onMessage(WatchResponse response) {
        synchronized (telling) {
            if (told) {
                return;
            }
            tell(response);
        }
        synchronized (this) {
            if (call != null && !over) {
                call.request(1);
            }
        }
    }

    private void tell(WatchResponse response) {
        Header header = Messages.header(response.getHeader());
        if (response.getCanceled()) {
            end(cancelled(response), null);
        } else if (response.getCreated()) {
            sink.created(header);
        } else if (response.getEventsCount() > 0) {
            sink.changes(header, changes(response), response.getUnknownFields().hasField(FRAGMENT_OF_ANSWER));
        } else {
            sink.progress(header);
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        if (Statuses.loginForgotten(status)) {
            login.forget(token);
        }
        Status why = status.isOk() ? Status.UNAVAILABLE.withDescription("the server ended the stream") : status;
        end(new WatchEnd.Failed(Statuses.failure(asked, why, sent.given())), why);
    }

    void failed(EtcdCallException why) {
        end(new WatchEnd.Failed(why), Status.UNAVAILABLE);
    }

    /**
     * @param by the status that ended the call already; {@code null} when the call is to be ended
     */
    private void end(WatchEnd why, @Nullable Status by) {
        synchronized (telling) {
            if (told) {
                return;
            }
            told = true;
            sink.ended(why);
        }
        synchronized (this) {
            over = true;
            if (call != null && by == null) {
                call.cancel("the watch is over", null);
            }
        }
    }

    private WatchEnd cancelled(WatchResponse response) {
        if (response.getCompactRevision() > 0) {
            return new WatchEnd.Compacted(response.getCompactRevision());
        }
        String reason = response.getCancelReason();
        Status status = Status.CANCELLED.withDescription(
                reason.isEmpty() ? "the server cancelled the watch without a reason" : reason);
        EtcdCallException why = Statuses.failure(asked, status, true);
        if (why.failure() == Failure.LOGIN || why.failure() == Failure.PERMISSION) {
            // a watch tells a forgotten login as a lack of permission
            login.forget(token);
        }
        return new WatchEnd.Failed(why);
    }

    private static List<WatchEvent.Changed> changes(WatchResponse response) {
        List<WatchEvent.Changed> changes = new ArrayList<>(response.getEventsCount());
        for (Event event : response.getEventsList()) {
            boolean deleted = event.getType() == Event.EventType.DELETE;
            changes.add(new WatchEvent.Changed(
                    event.getKv().getModRevision(),
                    Messages.bytes(event.getKv().getKey()),
                    deleted ? Optional.empty() : Optional.of(Messages.entry(event.getKv()))));
        }
        return changes;
    }
}
