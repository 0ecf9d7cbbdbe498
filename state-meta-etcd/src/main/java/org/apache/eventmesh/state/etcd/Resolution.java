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

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Finds out what became of a transaction whose answer was lost. It changes the slot on the same condition as the
 * transaction: when that succeeds, the transaction was not applied and never can be; when it does not, the slot tells
 * who was there before. A transaction that was answered needs no such change: what it has not done it never will.
 */
final class Resolution {
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final Writing writing;
    private final Lane lane;
    private final Group group;
    private final Bytes lost;
    /** Whether the transaction may still be on its way. */
    private final boolean mayArrive;

    private final Runnable notApplied;
    /** What this has tried to put; the answers to that may be lost as well. */
    private final Set<Bytes> own = new HashSet<>();

    private long pause = FIRST_PAUSE_MILLIS;

    /**
     * @param lost the id of the transaction
     * @param mayArrive whether it may still be on its way: no server has answered it
     * @param notApplied what follows when it was not applied and never can be
     */
    Resolution(Writing writing, Lane lane, Group group, Bytes lost, boolean mayArrive, Runnable notApplied) {
        this.writing = writing;
        this.lane = lane;
        this.group = group;
        this.lost = lost;
        this.mayArrive = mayArrive;
        this.notApplied = notApplied;
    }

    void look() {
        if (writing.availability().hasStopped()) {
            lane.staysUnknown(group, "then " + writing.availability().refusal().getMessage());
            return;
        }
        Slot slot = lane.slot();
        List<Step> then = mayArrive ? List.of(bump(slot)) : List.of();
        Txn txn = new Txn(List.of(new Compare(slot.key(), slot.revision())), then, group.traces(slot));
        long asked = writing.availability().asking();
        writing.ask(writing.client().transact(txn, DEADLINE), answer -> seen(slot, answer, asked), this::failed);
    }

    private Step bump(Slot slot) {
        Bytes id = slot.nextId();
        own.add(id);
        // nested, where the quota does not look: the fate of a write must not depend on free space
        Step.Put put = new Step.Put(slot.key(), id, slot.session().lease());
        return new Step.Nested(new Txn(List.of(), List.of(put), List.of()));
    }

    private void seen(Slot slot, TxnAnswer answer, long asked) {
        try {
            writing.availability().answered(answer.header(), asked);
        } catch (StateStoreException e) {
            lane.staysUnknown(group, "then " + e.getMessage());
            return;
        }
        if (answer.succeeded()) {
            slot.revision(mayArrive ? answer.revision() : slot.revision());
            notApplied.run();
            return;
        }
        Optional<Entry> found = Group.find(answer.entries(), slot.key());
        if (found.isEmpty()) {
            lane.endedUnknown(group);
        } else if (found.get().value().equals(lost)) {
            lane.wasApplied(group, lost, found.get().revision(), answer.entries());
        } else if (own.contains(found.get().value())) {
            slot.revision(found.get().revision());
            notApplied.run();
        } else if (found.get().revision() < slot.revision()) {
            StateStoreException stopped = writing.availability()
                    .stop("a commit slot is at revision " + found.get().revision() + ", and it was at "
                            + slot.revision());
            lane.staysUnknown(group, "then " + stopped.getMessage());
        } else {
            // somebody else wrote what only this engine writes: nothing can be told from it
            slot.revision(found.get().revision());
            lane.staysUnknown(
                    group, "its commit slot was changed by somebody else: keep its prefix to one installation");
        }
    }

    private void failed(EtcdCallException failure) {
        writing.availability().failed(failure);
        if (failure.failure() == Failure.NO_LEASE) {
            lane.endedUnknown(group);
        } else if (writing.availability().isClosed() && failure.failure() == Failure.CLOSED) {
            lane.staysUnknown(group, "the engine was closed before etcd could tell");
        } else {
            writing.later(pause, this::look);
            pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
        }
    }
}
