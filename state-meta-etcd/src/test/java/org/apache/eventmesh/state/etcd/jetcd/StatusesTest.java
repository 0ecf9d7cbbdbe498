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

import io.grpc.Status;
import java.net.ConnectException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class StatusesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    RESOURCE_EXHAUSTED  | etcdserver: mvcc: database space exceeded                            | NO_SPACE
                    INVALID_ARGUMENT    | etcdserver: request is too large                                     | REQUEST_TOO_LARGE
                    RESOURCE_EXHAUSTED  | grpc: received message larger than max (3000000 vs. 2097152)         | REQUEST_TOO_LARGE
                    RESOURCE_EXHAUSTED  | gRPC message exceeds maximum size 67108864: 70000000                 | ANSWER_TOO_LARGE
                    RESOURCE_EXHAUSTED  | etcdserver: too many requests                                        | OVERLOADED
                    INVALID_ARGUMENT    | etcdserver: too many operations in txn request                       | TOO_MANY_STEPS
                    NOT_FOUND           | etcdserver: requested lease not found                                | NO_LEASE
                    OUT_OF_RANGE        | etcdserver: mvcc: required revision has been compacted               | COMPACTED
                    OUT_OF_RANGE        | etcdserver: mvcc: required revision is a future revision             | FUTURE_REVISION
                    PERMISSION_DENIED   | etcdserver: permission denied                                        | PERMISSION
                    INVALID_ARGUMENT    | etcdserver: authentication failed, invalid user ID or password       | LOGIN
                    INVALID_ARGUMENT    | etcdserver: user name is empty                                       | LOGIN
                    FAILED_PRECONDITION | etcdserver: authentication is not enabled                            | LOGIN
                    UNAUTHENTICATED     | etcdserver: invalid auth token                                       | LOGIN
                    UNAVAILABLE         | etcdserver: no leader                                                | NOT_SENT
                    UNAVAILABLE         | etcdserver: request timed out                                        | LOST
                    UNAVAILABLE         | etcdserver: request timed out, possibly due to previous leader failure | LOST
                    UNAVAILABLE         | etcdserver: leader changed                                           | LOST
                    INVALID_ARGUMENT    | etcdserver: duplicate key given in txn request                       | REFUSED
                    """)
    void servers_tell_failures_apart_by_text(Status.Code code, String text, Failure expected) {
        assertThat(Statuses.classify(code.toStatus().withDescription(text), true))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "UNKNOWN", "ABORTED", "DATA_LOSS"})
    void what_may_have_left_the_process_is_lost_and_what_has_not_was_not_sent(Status.Code code) {
        assertThat(Statuses.classify(code.toStatus(), true)).isEqualTo(Failure.LOST);
        assertThat(Statuses.classify(code.toStatus(), false)).isEqualTo(Failure.NOT_SENT);
    }

    @Test
    void what_the_network_lists_below_its_reason_is_not_told() {
        Status status = Status.UNAVAILABLE.withDescription(
                "Connection closed while performing TLS negotiation\nChannel [a, b]");

        assertThat(Statuses.failure("read", status, false).what())
                .isEqualTo("read: UNAVAILABLE, Connection closed while performing TLS negotiation");
    }

    @Test
    void the_cause_of_a_failed_connection_is_told() {
        Status status = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new ConnectException("Connection refused: localhost/127.0.0.1:1"));

        EtcdCallException failure = Statuses.failure("read etcd at localhost:1", status, false);

        assertThat(failure.failure()).isEqualTo(Failure.NOT_SENT);
        assertThat(failure.what()).contains("read etcd at localhost:1").contains("Connection refused");
    }

    @Test
    void a_handshake_that_failed_is_a_matter_of_certificates() {
        Status status = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new SSLHandshakeException("PKIX path building failed"));

        EtcdCallException failure = Statuses.failure("read", status, false);

        assertThat(failure.failure()).isEqualTo(Failure.TLS);
        assertThat(failure.what()).contains("PKIX path building failed");
    }

    @Test
    void a_connection_that_broke_after_the_request_was_sent_leaves_it_unknown() {
        Status status = Status.UNAVAILABLE.withCause(new SSLHandshakeException("Connection reset"));

        assertThat(Statuses.classify(status, true)).isEqualTo(Failure.LOST);
    }
}
