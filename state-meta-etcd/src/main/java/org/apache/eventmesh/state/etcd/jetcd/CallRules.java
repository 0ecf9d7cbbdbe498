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
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.concurrent.TimeUnit;

/** What holds for every call on every channel: no unary call without a deadline; login and leader in its headers. */
final class CallRules implements ClientInterceptor {
    /** The login of the call; empty for none. */
    static final CallOptions.Key<String> TOKEN = CallOptions.Key.createWithDefault("etcd-token", "");
    /** Whether a member without a leader refuses at once, before it begins. */
    static final CallOptions.Key<Boolean> LEADER = CallOptions.Key.createWithDefault("etcd-leader", false);

    /** Whether {@link CallDeadlines} ends the call. */
    static final CallOptions.Key<Boolean> BOUNDED = CallOptions.Key.createWithDefault("etcd-bounded", false);

    private static final Metadata.Key<String> TOKEN_HEADER = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> LEADER_HEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
    private static final long LONGEST_SECONDS = 10;

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        boolean endless = options.getDeadline() == null
                && !options.getOption(BOUNDED)
                && method.getType() == MethodDescriptor.MethodType.UNARY;
        CallOptions bounded = endless ? options.withDeadlineAfter(LONGEST_SECONDS, TimeUnit.SECONDS) : options;
        return new SimpleForwardingClientCall<>(next.newCall(method, bounded)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                String token = bounded.getOption(TOKEN);
                if (!token.isEmpty()) {
                    headers.put(TOKEN_HEADER, token);
                }
                if (bounded.getOption(LEADER)) {
                    headers.put(LEADER_HEADER, "true");
                }
                super.start(listener, headers);
            }
        };
    }
}
