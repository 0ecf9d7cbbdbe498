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

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;

/** Calls with one answer: to the member that answers best, with a login, by a deadline. */
final class Calls {
    private final String cluster;
    private final Members members;
    private final Login login;
    private volatile boolean closed;

    Calls(String cluster, Members members, Login login) {
        this.cluster = cluster;
        this.members = members;
        this.login = login;
    }

    /**
     * Asks one member after the other while none has taken the request.
     *
     * @param asked what is asked, for messages: "read 3 keys of"
     * @param leader whether a member without a leader is to refuse at once
     */
    <Q, A> CompletableFuture<A> call(
            String asked, MethodDescriptor<Q, A> method, Q request, boolean leader, Duration deadline) {
        Run<Q, A> run = new Run<>(asked, method, request, leader, deadline);
        run.begin(members.choose());
        return run.result;
    }

    /** Asks this member and no other. */
    <Q, A> CompletableFuture<A> callOne(
            Member member, String asked, MethodDescriptor<Q, A> method, Q request, Duration deadline) {
        Run<Q, A> run = new Run<>(asked, method, request, false, deadline);
        run.tried.addAll(members.all());
        run.begin(member);
        return run.result;
    }

    void close() {
        closed = true;
    }

    private final class Run<Q, A> {
        private final CompletableFuture<A> result = new CompletableFuture<>();
        private final String asked;
        private final MethodDescriptor<Q, A> method;
        private final Q request;
        private final boolean leader;
        private final long end;
        /** One attempt at a time touches these. */
        private final Set<Member> tried = new HashSet<>();

        /** The members at which a login failed that this call only waited for. */
        private final Set<Member> failedElsewhere = new HashSet<>();

        private boolean loggedInAgain;

        Run(String asked, MethodDescriptor<Q, A> method, Q request, boolean leader, Duration deadline) {
            this.asked = asked;
            this.method = method;
            this.request = request;
            this.leader = leader;
            this.end = System.nanoTime() + deadline.toNanos();
        }

        void begin(Member member) {
            long left = end - System.nanoTime();
            if (closed) {
                fail(Failure.CLOSED, member, "the client is closed");
            } else if (left <= 0) {
                fail(Failure.NOT_SENT, member, "no time was left to send it");
            } else {
                Login.Asked asked = login.token(member, Duration.ofNanos(left));
                var unused = asked.token().whenComplete((token, failure) -> {
                    if (failure == null) {
                        ask(member, token);
                    } else {
                        failedToLogIn(member, asked.member(), failure);
                    }
                });
            }
        }

        private void ask(Member member, String token) {
            tried.add(member);
            int connection = member.rebuilt();
            Attempt.start(
                    member,
                    method,
                    request,
                    token,
                    leader,
                    Math.max(1, end - System.nanoTime()),
                    new Attempt.Outcome<>() {
                        @Override
                        public void answered(A answer) {
                            members.answered(member);
                            result.complete(answer);
                        }

                        @Override
                        public void failed(Status status, boolean taken) {
                            onFailure(member, token, status, taken, member.rebuilt() != connection);
                        }
                    });
        }

        /** @param givenUp whether the connection was given up here meanwhile, for its silence */
        private void onFailure(Member member, String token, Status status, boolean taken, boolean givenUp) {
            if (Statuses.loginForgotten(status) && !token.isEmpty() && !loggedInAgain) {
                // refused before it began: with another login it may be sent again
                loggedInAgain = true;
                login.forget(token);
                begin(member);
                return;
            }
            EtcdCallException failure = Statuses.failure(asked(member), status, taken);
            if (failure.failure() == Failure.NOT_SENT || failure.failure() == Failure.LOST) {
                members.failed(member);
            }
            Member next = failure.failure() == Failure.NOT_SENT ? members.next(tried) : null;
            if (next == null && failure.failure() == Failure.NOT_SENT && givenUp) {
                // there is another connection, to a member that may only have been slow
                next = member;
            }
            if (next != null && end - System.nanoTime() > 0) {
                begin(next);
            } else {
                result.completeExceptionally(failure);
            }
        }

        /** @param at the member that was asked for the login: another call may have chosen it */
        private void failedToLogIn(Member member, Member at, Throwable failure) {
            boolean elsewhere = at != member && failedElsewhere.add(at);
            if (!elsewhere) {
                tried.add(member);
            }
            boolean mayPass = failure instanceof EtcdCallException known
                    && (known.failure() == Failure.NOT_SENT || known.failure() == Failure.LOST);
            Member next = null;
            if (mayPass) {
                members.failed(at);
                if (end - System.nanoTime() > 0) {
                    // that another is away says nothing of this one
                    next = elsewhere ? member : members.next(tried);
                }
            }
            if (next != null) {
                begin(next);
            } else if (failure instanceof EtcdCallException known && known.failure() == Failure.LOST) {
                // only the login was sent, not the request
                result.completeExceptionally(new EtcdCallException(Failure.NOT_SENT, known.what(), known));
            } else {
                result.completeExceptionally(failure);
            }
        }

        private void fail(Failure failure, Member member, String why) {
            result.completeExceptionally(new EtcdCallException(failure, asked(member) + ": " + why, null));
        }

        private String asked(Member member) {
            return asked + " " + cluster + " at " + member.endpoint();
        }
    }
}
