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

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.Guarded;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds members that take requests and say nothing: stopped, or behind a network that swallows everything. A call that
 * waits for a majority waits too, so a question follows that the member answers from what it has; only when that stays
 * without an answer the connection is given up, and whatever waited on it is told so.
 */
final class Watchdog {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final long TICK_MILLIS = 250;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    /** Whether a key is there that nobody writes; a refusal for lack of permission is an answer as well. */
    private static final RangeRequest QUESTION = RangeRequest.newBuilder()
            .setKey(ByteString.copyFrom(new byte[] {0}))
            .setSerializable(true)
            .setKeysOnly(true)
            .build();

    private final String cluster;
    private final Members members;
    private final Set<Member> asked = ConcurrentHashMap.newKeySet();
    private final ScheduledFuture<?> ticks;

    Watchdog(String cluster, Members members, ScheduledExecutorService timer) {
        this.cluster = cluster;
        this.members = members;
        this.ticks = timer.scheduleWithFixedDelay(
                Guarded.periodic(cluster + ": looking after members", this::look),
                TICK_MILLIS,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    void close() {
        ticks.cancel(false);
    }

    private void look() {
        for (Member member : members.all()) {
            member.connectSoon();
            if (member.quietNanos() > QUIET_NANOS && asked.add(member)) {
                ask(member);
            }
        }
    }

    private void ask(Member member) {
        Attempt.start(
                member,
                KVGrpc.getRangeMethod(),
                QUESTION,
                "",
                false,
                ANSWER_NANOS,
                new Attempt.Outcome<RangeResponse>() {
                    @Override
                    public void answered(RangeResponse answer) {
                        asked.remove(member);
                    }

                    @Override
                    public void failed(Status status, boolean taken) {
                        asked.remove(member);
                        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
                            LOG.info(
                                    "{}: {} takes requests and does not answer; connecting anew",
                                    cluster,
                                    member.endpoint());
                            members.failed(member);
                            member.rebuild();
                        }
                    }
                });
    }
}
