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

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call to one member: one request, at most one answer. Also for streams that are used for just that. */
final class Attempt<A> extends ClientCall.Listener<A> {
    /** Hears how it went, once. */
    interface Outcome<A> {
        void answered(A answer);

        /**
         * There is no answer.
         *
         * @param taken whether the request may have left this process
         */
        void failed(Status status, boolean taken);
    }

    private final Member member;
    private final Outcome<A> outcome;
    private final Sent sent = new Sent();
    private final long nanos;
    private final long began = System.nanoTime();
    private volatile boolean late;
    private volatile boolean over;
    private @Nullable A answer;

    private Attempt(Member member, long nanos, Outcome<A> outcome) {
        this.member = member;
        this.nanos = nanos;
        this.outcome = outcome;
    }

    static <Q, A> void start(
            Member member,
            MethodDescriptor<Q, A> method,
            Q request,
            String token,
            boolean leader,
            long nanos,
            Outcome<A> outcome) {
        Attempt<A> attempt = new Attempt<>(member, nanos, outcome);
        CallOptions options = CallOptions.DEFAULT
                .withOption(CallRules.BOUNDED, true)
                .withOption(CallRules.TOKEN, token)
                .withOption(CallRules.LEADER, leader)
                .withStreamTracerFactory(attempt.sent);
        member.asked();
        ClientCall<Q, A> call = member.channel().newCall(method, options);
        call.start(attempt, new Metadata());
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        // not before: what is cancelled takes no request
        member.deadlines().begun(attempt.new Ending(call));
    }

    /** What ends it when its time is over. */
    private final class Ending implements CallDeadlines.Bounded {
        private final ClientCall<?, ?> call;

        private Ending(ClientCall<?, ?> call) {
            this.call = call;
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public boolean isLate(long now) {
            return now - began > nanos;
        }

        @Override
        public void end() {
            late = true;
            call.cancel("its time is over", null);
        }
    }

    @Override
    public void onMessage(A message) {
        answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        over = true;
        A got = answer;
        if (got != null && status.isOk()) {
            member.over(true);
            outcome.answered(got);
            return;
        }
        Status failure = failure(status);
        member.over(got != null || fromServer(failure));
        outcome.failed(failure, sent.given());
    }

    private Status failure(Status status) {
        if (status.isOk()) {
            return Status.INTERNAL.withDescription("the server ended the call without an answer");
        }
        return late && status.getCode() == Status.Code.CANCELLED
                ? Status.DEADLINE_EXCEEDED.withDescription(
                        "no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms")
                : status;
    }

    /** Whether a server said this, and not the client's own side of a connection. */
    private static boolean fromServer(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN ->
                status.getDescription() != null && status.getDescription().startsWith("etcdserver:");
            default -> true;
        };
    }
}
