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

import io.etcd.jetcd.support.Errors;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.jspecify.annotations.Nullable;

/** What a status of gRPC means. Servers tell many things apart by text alone. */
final class Statuses {
    private Statuses() {}

    /**
     * @param asked what was asked of whom, for the message
     * @param taken whether the request may have left this process
     */
    static EtcdCallException failure(String asked, Status status, boolean taken) {
        Failure failure = classify(status, taken);
        return new EtcdCallException(failure, asked + ": " + describe(status), cause(status));
    }

    /** The login was forgotten: by a restart, by its age, or because users or roles were changed meanwhile. */
    static boolean loginForgotten(Status status) {
        return Errors.isInvalidTokenError(status) || Errors.isAuthStoreExpired(status);
    }

    static Failure classify(Status status, boolean taken) {
        String text = text(status);
        Failure told = told(text);
        if (told != null) {
            return told;
        }
        if (Errors.isNoLeaderError(status) || text.contains("not supported for learner")) {
            return Failure.NOT_SENT;
        }
        return switch (status.getCode()) {
            case PERMISSION_DENIED -> Failure.PERMISSION;
            case UNAUTHENTICATED -> Failure.LOGIN;
            case RESOURCE_EXHAUSTED -> exhausted(text, taken);
            case INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, OUT_OF_RANGE, ALREADY_EXISTS, UNIMPLEMENTED ->
                Failure.REFUSED;
            default -> connection(status, taken);
        };
    }

    private static @Nullable Failure told(String text) {
        if (text.contains("database space exceeded")) {
            return Failure.NO_SPACE;
        }
        if (text.contains("request is too large") || text.contains("received message larger than max")) {
            return Failure.REQUEST_TOO_LARGE;
        }
        if (text.contains("too many operations")) {
            return Failure.TOO_MANY_STEPS;
        }
        if (text.contains("too many requests")) {
            return Failure.OVERLOADED;
        }
        if (text.contains("requested lease not found")) {
            return Failure.NO_LEASE;
        }
        if (text.contains("revision has been compacted")) {
            return Failure.COMPACTED;
        }
        if (text.contains("is a future revision")) {
            return Failure.FUTURE_REVISION;
        }
        if (text.contains("etcdserver: permission denied")) {
            return Failure.PERMISSION;
        }
        if (text.contains("invalid user ID or password")
                || text.contains("user name is empty")
                || text.contains("authentication is not enabled")
                || text.contains("invalid auth token")
                || text.contains("revision of auth store is old")) {
            return Failure.LOGIN;
        }
        return null;
    }

    private static Failure exhausted(String text, boolean taken) {
        if (text.contains("message exceeds maximum size")) {
            return Failure.ANSWER_TOO_LARGE;
        }
        return taken ? Failure.LOST : Failure.NOT_SENT;
    }

    private static Failure connection(Status status, boolean taken) {
        if (hasCause(status.getCause(), SSLException.class)
                || hasCause(status.getCause(), CertificateException.class)) {
            // A server that does not take this client's certificate says so behind the handshake, to the first request.
            if (!taken || text(status).contains("certificate") || causes(status).contains("certificate")) {
                return Failure.TLS;
            }
        }
        return taken ? Failure.LOST : Failure.NOT_SENT;
    }

    private static String describe(Status status) {
        String text = text(status);
        String told = text.isEmpty() ? status.getCode().toString() : status.getCode() + ", " + text;
        String causes = causes(status);
        return causes.isEmpty() ? told : told + " (" + causes + ")";
    }

    private static String text(Status status) {
        // below the first line, Netty lists its handlers
        return status.getDescription() == null
                ? ""
                : status.getDescription().lines().findFirst().orElse("");
    }

    /** What lies below, outermost first; what says nothing new is left out. */
    private static String causes(Status status) {
        StringBuilder told = new StringBuilder();
        int depth = 0;
        for (Throwable cause = status.getCause(); cause != null && depth < 8; cause = cause.getCause(), depth++) {
            String line = cause instanceof UnknownHostException || cause.getMessage() == null
                    ? cause.toString()
                    : cause.getMessage();
            if (told.indexOf(line) < 0) {
                told.append(told.isEmpty() ? "" : "; ").append(line);
            }
            if (cause instanceof ConnectException) {
                break;
            }
        }
        return told.toString();
    }

    private static @Nullable Throwable cause(Status status) {
        return status.getCause();
    }

    private static boolean hasCause(@Nullable Throwable failure, Class<? extends Throwable> kind) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 16; cause = cause.getCause(), depth++) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
