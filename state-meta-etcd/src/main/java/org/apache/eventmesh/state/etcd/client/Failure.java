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
package org.apache.eventmesh.state.etcd.client;

/** Why a call has no answer, as far as it makes a difference to the caller. */
public enum Failure {
    /** No member could be reached; the request has not left this process, or no member without a leader took it. */
    NOT_SENT(true),
    /** The answer was lost or did not come in time: what was asked may have been done, and may be done yet. */
    LOST(false),
    /** The server has too much to do and did not begin. */
    OVERLOADED(true),
    /**
     * The database has reached its quota; only deletes go through. The transaction that reaches it is refused like this
     * and was done.
     */
    NO_SPACE(false),
    /** The request is larger than the server takes. */
    REQUEST_TOO_LARGE(true),
    /** More steps or comparisons than the server takes in one transaction. */
    TOO_MANY_STEPS(true),
    /** The answer is larger than this client takes; what was asked was done. */
    ANSWER_TOO_LARGE(false),
    /** The lease has ended or was never granted. */
    NO_LEASE(true),
    /** That revision has been compacted away. */
    COMPACTED(true),
    /** That revision has not come yet: the history of the server was moved back. */
    FUTURE_REVISION(true),
    /** The user may not do that. */
    PERMISSION(true),
    /** User or password are wrong, or the server wants a user, or knows none. */
    LOGIN(true),
    /** The certificate of the server, or that of this client, is not accepted. */
    TLS(true),
    /** The server refused for another reason, before it began. */
    REFUSED(true),
    /** The client was closed before the call was sent. */
    CLOSED(true);

    private final boolean notDone;

    Failure(boolean notDone) {
        this.notDone = notDone;
    }

    /** Whether nothing was done and nothing will be, for certain. */
    public boolean notDone() {
        return notDone;
    }
}
