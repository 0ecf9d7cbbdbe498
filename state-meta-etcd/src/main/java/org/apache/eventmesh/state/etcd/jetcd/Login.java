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

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.etcd.client.Credentials;
import org.jspecify.annotations.Nullable;

/** The login that calls carry: got when the first call needs it, and anew when a server has forgotten it. */
final class Login {
    private static final CompletableFuture<String> NOBODY = CompletableFuture.completedFuture("");

    private final String cluster;
    private final Optional<Credentials> credentials;

    /** Guarded by this; under way or got. */
    private @Nullable Asked current;

    /**
     * A login.
     *
     * @param member that was asked for it, by whoever needed it first
     * @param token under way or got; empty when nobody logs in
     */
    record Asked(Member member, CompletableFuture<String> token) {}

    Login(String cluster, Optional<Credentials> credentials) {
        this.cluster = cluster;
        this.credentials = credentials;
    }

    /** The login, got from this member when there is none. */
    Asked token(Member member, Duration deadline) {
        if (credentials.isEmpty()) {
            return new Asked(member, NOBODY);
        }
        Asked asked;
        synchronized (this) {
            if (current != null) {
                return current;
            }
            asked = new Asked(member, new CompletableFuture<>());
            current = asked;
        }
        ask(member, credentials.get(), deadline, asked.token());
        return asked;
    }

    /** A server does not know it any more. */
    synchronized void forget(String token) {
        if (current != null
                && current.token().isDone()
                && token.equals(current.token().getNow(""))) {
            current = null;
        }
    }

    private void ask(Member member, Credentials who, Duration deadline, CompletableFuture<String> asked) {
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setName(who.user())
                .setPassword(who.password())
                .build();
        Attempt.start(
                member,
                AuthGrpc.getAuthenticateMethod(),
                request,
                "",
                false,
                deadline.toNanos(),
                new Attempt.Outcome<AuthenticateResponse>() {
                    @Override
                    public void answered(AuthenticateResponse answer) {
                        asked.complete(answer.getToken());
                    }

                    @Override
                    public void failed(Status status, boolean taken) {
                        synchronized (Login.this) {
                            current = null;
                        }
                        asked.completeExceptionally(Statuses.failure(
                                "log in to " + cluster + " at " + member.endpoint() + " as \"" + who.user() + "\"",
                                status,
                                taken));
                    }
                });
    }
}
