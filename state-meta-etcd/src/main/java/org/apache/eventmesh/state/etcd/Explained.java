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

import java.util.concurrent.CompletionException;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/** What callers are told of a call that has no answer, each with what to do about it. */
final class Explained {
    private Explained() {}

    /** The failure of a call of the client. */
    static EtcdCallException call(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof EtcdCallException known
                ? known
                : new EtcdCallException(Failure.LOST, "the client of etcd failed: " + cause, cause);
    }

    /** The failure of a call that changed nothing, for certain. */
    static StateStoreException notApplied(EtcdCallException failure) {
        String what = failure.what() + "; nothing was applied: ";
        return switch (failure.failure()) {
            case OVERLOADED -> new OverloadedException(what + advice(failure), failure);
            case REQUEST_TOO_LARGE, TOO_MANY_STEPS -> new LimitExceededException(what + advice(failure), failure);
            case CLOSED -> new StoreClosedException(what + advice(failure), failure);
            default -> new StoreUnavailableException(what + advice(failure), failure);
        };
    }

    /** The failure of a read. */
    static StateStoreException notRead(EtcdCallException failure) {
        return failure.failure() == Failure.LOST
                ? new StoreUnavailableException(failure.what() + "; no answer came: " + advice(failure), failure)
                : notApplied(failure);
    }

    /** What to do about it. */
    static String advice(EtcdCallException failure) {
        return switch (failure.failure()) {
            case NOT_SENT ->
                "no member of etcd could be reached or none has a leader; look whether a majority of the members runs,"
                        + " the network between is up and etcd.tls is set as the servers have it, then try again";
            case LOST -> "look whether a majority of etcd's members runs and the network between is up, then try again";
            case OVERLOADED -> "etcd has too much to do; try again later, with less at once";
            case NO_SPACE ->
                "etcd's database has reached its quota and takes only deletes; compact old revisions, defragment each"
                        + " member (etcdctl compact, etcdctl defrag) and disarm the alarm (etcdctl alarm disarm), or"
                        + " raise --quota-backend-bytes";
            case REQUEST_TOO_LARGE ->
                "the servers take smaller requests than this library assumes; raise their --max-request-bytes, or set"
                        + " etcd.maxRequestBytes to what they take";
            case TOO_MANY_STEPS ->
                "the servers take fewer operations in one transaction than this library assumes; raise their"
                        + " --max-txn-ops, or set etcd.maxTxnOps to what they take";
            case ANSWER_TOO_LARGE -> "ask for less at once";
            case NO_LEASE -> "the lease has ended; grant another";
            case COMPACTED, FUTURE_REVISION -> "read again, then go on from there";
            case PERMISSION ->
                "give the user a role that may read and write all keys under the prefix of the address (etcdctl role"
                        + " grant-permission ROLE readwrite --prefix=true PREFIX)";
            case LOGIN -> "look at the options etcd.user and etcd.password, and whether the servers have users enabled";
            case TLS ->
                "look at the options etcd.tls, etcd.caFile, etcd.certFile, etcd.keyFile and etcd.authority, and at the"
                        + " servers' certificates";
            case REFUSED ->
                "etcd refused the request itself; look whether the server is an etcd of the versions that"
                        + " this library supports";
            case CLOSED -> "open the store set again";
        };
    }
}
