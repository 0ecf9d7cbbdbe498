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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transaction at a time, under one commit slot, until its fate is known for certain. */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long AGAIN_MILLIS = 100;
    private static final long NEW_SLOT_MILLIS = 500;

    private final Writing writing;
    private final EngineReads reads;
    private Slot slot;

    Lane(Writing writing, EngineReads reads, Slot slot) {
        this.writing = writing;
        this.reads = reads;
        this.slot = slot;
    }

    void send(Group group) {
        send(group, Group.Form.TOGETHER);
    }

    private void send(Group group, Group.Form form) {
        if (writing.availability().hasStopped()) {
            over(group, writing.availability().refusal());
            return;
        }
        Bytes id = slot.nextId();
        long asked = writing.availability().asking();
        writing.ask(
                writing.client().transact(group.txn(slot, id, form), writing.callDeadline()),
                answer -> answered(group, answer, asked, form),
                failure -> failed(group, id, failure, form));
    }

    private void answered(Group group, TxnAnswer answer, long asked, Group.Form form) {
        try {
            writing.availability().answered(answer.header(), asked);
        } catch (StateStoreException e) {
            over(group, answer.succeeded() ? unknown(e) : e);
            return;
        }
        if (answer.succeeded()) {
            slot.revision(answer.revision());
            if (form != Group.Form.WITHOUT_QUOTA) {
                writing.availability().hasSpace();
            }
            over(group, group.results(answer, form)::get);
        } else {
            refused(group, answer, form);
        }
    }

    /** Nothing was applied: the slot was changed, or a condition of commits that stand together did not hold. */
    private void refused(Group group, TxnAnswer answer, Group.Form form) {
        Optional<Entry> found = Group.find(answer.entries(), slot.key());
        if (found.isEmpty()) {
            lostSlot(group);
        } else if (form != Group.Form.TOGETHER || found.get().revision() != slot.revision()) {
            slotChanged(group, found.get().revision());
        } else if (group.isSingle()) {
            over(group, group.refused(slot, answer));
        } else {
            send(group, Group.Form.APART);
        }
    }

    /** Nothing was applied. */
    private void slotChanged(Group group, long now) {
        if (now < slot.revision()) {
            over(
                    group,
                    writing.availability()
                            .stop("a commit slot is at revision " + now + ", and it was at " + slot.revision()));
            return;
        }
        LOG.warn("{}: a commit slot was changed by somebody else; keep its prefix to one installation", writing.name());
        slot.revision(now);
        again(group, "its commit slot was changed by somebody else");
    }

    private void failed(Group group, Bytes id, EtcdCallException failure, Group.Form form) {
        writing.availability().failed(failure);
        switch (failure.failure()) {
            case LOST -> resolve(group, id, failure);
            case ANSWER_TOO_LARGE -> {
                // only what is present says so much: whoever was refused goes on by itself
                group.members().forEach(Pending::beAlone);
                new Resolution(writing, this, group, id, false, () -> refusedAtLength(group)).look();
            }
            case NOT_SENT -> notSent(group, failure);
            case NO_LEASE -> {
                if (group.isSingle()) {
                    new EndedLeaseSearch(writing, this, group, failure).next();
                } else {
                    apart(group);
                }
            }
            // etcd applies the one that reaches the quota, and refuses it all the same
            case NO_SPACE ->
                new Resolution(writing, this, group, id, false, () -> noSpace(group, failure, form)).look();
            case REQUEST_TOO_LARGE, TOO_MANY_STEPS, PERMISSION, REFUSED -> {
                if (group.isSingle()) {
                    over(group, Explained.notApplied(failure));
                } else {
                    apart(group);
                }
            }
            default -> over(group, Explained.notApplied(failure));
        }
    }

    private void notSent(Group group, EtcdCallException failure) {
        boolean inTime = group.members().stream().anyMatch(Pending::inTime);
        if (inTime && writing.availability().patient()) {
            writing.later(AGAIN_MILLIS, () -> send(group));
        } else {
            over(group, Explained.notApplied(failure));
        }
    }

    /** Nothing was applied, and what is present did not fit in the answer. */
    private void refusedAtLength(Group group) {
        if (!group.isSingle()) {
            again(group, "the answer with the present entries was too large");
            return;
        }
        List<Condition> conditions = group.members().get(0).commit().conditions();
        writing.ask(
                reads.read(conditions.stream().map(Condition::key).toList()),
                present -> {
                    if (hold(conditions, present)) {
                        again(group, "its conditions did not hold at first");
                    } else {
                        over(group, new CommitResult.Refused(present));
                    }
                },
                failure -> over(
                        group,
                        new StoreUnavailableException(
                                "write to " + writing.name() + ": its conditions did not hold, so nothing was applied;"
                                        + " what is present instead could not be read: " + failure.what(),
                                failure)));
    }

    private static boolean hold(List<Condition> conditions, List<Entry> present) {
        return conditions.stream()
                .allMatch(condition -> condition.revision()
                        == Group.find(present, condition.key())
                                .map(Entry::revision)
                                .orElse(0L));
    }

    private void resolve(Group group, Bytes id, EtcdCallException failure) {
        writing.availability()
                .unknown(failure.what() + "; what became of " + group.members().size()
                        + " commits is not known; looking until etcd tells");
        new Resolution(writing, this, group, id, true, () -> again(group, "its answer was lost")).look();
    }

    /** The fate of a transaction that failed: it was applied all the same. */
    void wasApplied(Group group, Bytes id, long revision, List<Entry> traces) {
        slot.revision(revision);
        List<Pending> refused = new ArrayList<>();
        List<Pending> members = group.members();
        List<Boolean> applied = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            boolean was = !group.wasRefused(slot, id, i, traces);
            applied.add(was);
            if (!was) {
                refused.add(members.get(i));
            }
        }
        free();
        for (int i = 0; i < members.size(); i++) {
            if (applied.get(i)) {
                members.get(i).complete(new CommitResult.Applied(revision));
            }
        }
        writing.sendAgain(refused, "its conditions did not hold, and the answer with the present entries was lost");
    }

    /** Nothing was applied. */
    private void noSpace(Group group, EtcdCallException failure, Group.Form form) {
        if (!group.isSingle()) {
            apart(group);
        } else if (form != Group.Form.WITHOUT_QUOTA && group.members().get(0).deletesOnly()) {
            send(group, Group.Form.WITHOUT_QUOTA);
        } else {
            over(group, Explained.notApplied(failure));
        }
    }

    /** The engine is closed, or the slot has ended, before the fate is known. */
    void staysUnknown(Group group, String why) {
        over(group, unknown(group, why));
    }

    private OutcomeUnknownException unknown(Group group, String why) {
        return new OutcomeUnknownException("write of " + group.members().size() + " commits to " + writing.name()
                + ": its answer was lost, and " + why
                + "; it may have been applied. Read what it was to change, or call again with the same arguments");
    }

    private StateStoreException unknown(StateStoreException e) {
        return new OutcomeUnknownException(e.getMessage() + "; a write may have been applied after that", e);
    }

    /** Each member by itself. Nothing was applied. */
    private void apart(Group group) {
        group.members().forEach(Pending::beAlone);
        again(group, "it was refused together with others");
    }

    /** Its members once more, as far as there is time. Nothing was applied. */
    void again(Group group, String why) {
        free();
        writing.sendAgain(group.members(), why);
    }

    /** The slots have ended: nothing that names them applies any more. */
    void lostSlot(Group group) {
        Slot.Session ended = slot.session();
        writing.line().isOver(this);
        writing.sendAgain(group.members(), "its commit slot had ended");
        renew(ended);
    }

    /** As {@link #lostSlot}, and nobody can tell any more whether the group was applied before. */
    void endedUnknown(Group group) {
        Slot.Session ended = slot.session();
        writing.line().isOver(this);
        OutcomeUnknownException unknown = unknown(group, "its commit slot has ended meanwhile");
        group.members().forEach(member -> member.fail(unknown));
        renew(ended);
    }

    private void renew(Slot.Session ended) {
        if (writing.availability().hasStopped()) {
            // nothing goes out any more that would need one
            return;
        }
        writing.ask(
                writing.slots().after(ended),
                slots -> {
                    LOG.info("{}: a commit slot had ended; there is a new one", writing.name());
                    slot = slots.get(slot.number());
                    writing.line().isFree(this);
                    writing.line().pump();
                },
                failure -> {
                    writing.availability().failed(failure);
                    if (!writing.availability().isClosed()) {
                        writing.later(NEW_SLOT_MILLIS, () -> renew(ended));
                    }
                });
    }

    Slot slot() {
        return slot;
    }

    void over(Group group, StateStoreException failure) {
        free();
        group.members().forEach(member -> member.fail(failure));
        writing.line().pump();
    }

    void over(Group group, CommitResult result) {
        over(group, index -> result);
    }

    private void over(Group group, IntFunction<CommitResult> results) {
        free();
        for (int i = 0; i < group.members().size(); i++) {
            group.members().get(i).complete(results.apply(i));
        }
        writing.line().pump();
    }

    private void free() {
        writing.line().isOver(this);
        writing.line().isFree(this);
    }
}
