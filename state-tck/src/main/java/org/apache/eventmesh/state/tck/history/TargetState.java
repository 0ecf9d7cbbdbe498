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
package org.apache.eventmesh.state.tck.history;

import java.util.Optional;

/**
 * The delivery of a message to one of its targets, and its dead letter.
 *
 * @param epoch of the current hand-out; of a settled one, that under which it was settled
 * @param held whether a receiver has it
 * @param failedAt the epoch of the last hand-out that was nacked; 0 for none
 * @param letter whether there is a record of it
 */
record TargetState(Status status, Rising epoch, boolean held, int failures, long failedAt, boolean letter) {
    enum Status {
        ABSENT,
        OPEN,
        ACKED,
        DEAD
    }

    static final TargetState ABSENT = new TargetState(Status.ABSENT, Rising.NEVER, false, 0, 0, false);

    boolean is(Status wanted) {
        return status == wanted;
    }

    boolean isSettled() {
        return status == Status.ACKED || status == Status.DEAD;
    }

    TargetState at(Rising now) {
        return new TargetState(status, now, held, failures, failedAt, letter);
    }

    /** Opened and given to its receiver. */
    TargetState opened(Rising first) {
        return new TargetState(Status.OPEN, first, true, 0, 0, false);
    }

    TargetState handedOut(Rising now) {
        return new TargetState(status, now, true, failures, failedAt, letter);
    }

    /** Nobody knows by how much a failure raises the epoch. */
    TargetState failed(long receipt) {
        return new TargetState(status, epoch.raised(), false, failures + 1, receipt, letter);
    }

    TargetState acked(long receipt) {
        return new TargetState(Status.ACKED, new Rising(receipt, true), false, failures, failedAt, false);
    }

    TargetState dead(long receipt) {
        return new TargetState(Status.DEAD, new Rising(receipt, true), false, failures, failedAt, true);
    }

    TargetState purged() {
        return new TargetState(status, epoch, held, failures, failedAt, false);
    }

    /** What is known when a receipt of this epoch was the current one; empty when it cannot be. */
    Optional<TargetState> current(long receipt) {
        return status == Status.OPEN ? epoch.seen(receipt).map(this::at) : Optional.empty();
    }

    /** Whether it was settled by a receipt of this epoch. */
    boolean settledBy(long receipt) {
        return isSettled() && epoch.value() == receipt;
    }
}
