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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.value.Bytes;

/** Commits that share a transaction. */
final class Group {
    /** How they stand in it. */
    enum Form {
        /**
         * All conditions and all changes side by side, which costs etcd the least. All commits are applied, or none; when
         * there are several, nobody knows yet whose conditions did not hold.
         */
        TOGETHER,
        /**
         * Each a transaction of its own, decided by its own conditions, so that one that is refused costs the others
         * nothing. When the answer is lost, the slot tells that the whole was applied, but not which of the commits were;
         * therefore one that is refused says so in a key of its own beside the slot.
         */
        APART,
        /** As {@link #APART}; the slot's put stands where the quota does not look, so that deletes go through. */
        WITHOUT_QUOTA
    }

    private final KeySpace keys;
    private final List<Pending> members;

    Group(KeySpace keys, List<Pending> members) {
        this.keys = keys;
        this.members = List.copyOf(members);
    }

    List<Pending> members() {
        return members;
    }

    boolean isSingle() {
        return members.size() == 1;
    }

    /**
     * Its transaction.
     *
     * @param id what the slot then holds
     */
    Txn txn(Slot slot, Bytes id, Form form) {
        Step.Put mark = new Step.Put(slot.key(), id, slot.session().lease());
        return switch (form) {
            case TOGETHER -> together(slot, mark);
            case APART -> apart(slot, id, mark);
            case WITHOUT_QUOTA -> apart(slot, id, new Step.Nested(new Txn(List.of(), List.of(mark), List.of())));
        };
    }

    private Txn together(Slot slot, Step mark) {
        // a set: commits of one owner have conditions in common
        Set<Compare> compares = new LinkedHashSet<>();
        compares.add(unchanged(slot));
        List<Step> then = new ArrayList<>();
        then.add(mark);
        List<Step> refused = new ArrayList<>();
        refused.add(new Step.Get(slot.key()));
        for (Pending member : members) {
            for (Condition condition : member.commit().conditions()) {
                Bytes key = keys.stored(condition.key());
                compares.add(new Compare(key, condition.revision()));
                if (isSingle()) {
                    refused.add(new Step.Get(key));
                }
            }
            then.addAll(changes(member));
        }
        return new Txn(List.copyOf(compares), then, refused);
    }

    private Txn apart(Slot slot, Bytes id, Step mark) {
        List<Step> then = new ArrayList<>(members.size() + 1);
        then.add(mark);
        for (int i = 0; i < members.size(); i++) {
            then.add(new Step.Nested(member(slot, id, i)));
        }
        return new Txn(List.of(unchanged(slot)), then, List.of(new Step.Get(slot.key())));
    }

    private static Compare unchanged(Slot slot) {
        return new Compare(slot.key(), slot.revision());
    }

    private Txn member(Slot slot, Bytes id, int index) {
        Pending member = members.get(index);
        List<Compare> compares = new ArrayList<>();
        List<Step> refused = new ArrayList<>();
        for (Condition condition : member.commit().conditions()) {
            Bytes key = keys.stored(condition.key());
            compares.add(new Compare(key, condition.revision()));
            refused.add(new Step.Get(key));
        }
        if (!compares.isEmpty()) {
            refused.add(new Step.Put(refusal(slot, index), id, slot.session().lease()));
        }
        return new Txn(compares, changes(member), refused);
    }

    private List<Step> changes(Pending member) {
        List<Step> changes = new ArrayList<>();
        for (Change change : member.commit().changes()) {
            Bytes key = keys.stored(change.key());
            changes.add(
                    change instanceof Change.Put put
                            ? new Step.Put(key, put.value(), put.lease().orElse(0))
                            : new Step.Delete(key));
        }
        return changes;
    }

    private Bytes refusal(Slot slot, int index) {
        return keys.refusal(slot.session().id(), slot.number(), index);
    }

    /** The results of the commits, in order, from an answer that succeeded. */
    List<CommitResult> results(TxnAnswer answer, Form form) {
        CommitResult applied = new CommitResult.Applied(answer.revision());
        if (form == Form.TOGETHER) {
            return Collections.nCopies(members.size(), applied);
        }
        // one more when the slot was nested too
        List<TxnAnswer> nested = answer.nested();
        int before = nested.size() - members.size();
        List<CommitResult> results = new ArrayList<>(members.size());
        for (int i = 0; i < members.size(); i++) {
            TxnAnswer one = nested.get(before + i);
            results.add(one.succeeded() ? applied : refused(one.entries()));
        }
        return results;
    }

    /** The result of a single commit whose conditions did not hold. */
    CommitResult refused(Slot slot, TxnAnswer answer) {
        return refused(answer.entries().stream()
                .filter(entry -> !entry.key().equals(slot.key()))
                .toList());
    }

    private CommitResult refused(List<Entry> present) {
        return new CommitResult.Refused(present.stream().map(keys::plain).toList());
    }

    /** Reads the slot and what the refused commits have left beside it. */
    List<Step> traces(Slot slot) {
        List<Step> gets = new ArrayList<>();
        gets.add(new Step.Get(slot.key()));
        for (int i = 0; i < members.size(); i++) {
            gets.add(new Step.Get(refusal(slot, i)));
        }
        return gets;
    }

    /** Whether the commit was refused by the transaction with this id, as its traces tell. */
    boolean wasRefused(Slot slot, Bytes id, int index, List<Entry> traces) {
        Optional<Entry> trace = find(traces, refusal(slot, index));
        return trace.isPresent() && trace.get().value().equals(id);
    }

    static Optional<Entry> find(List<Entry> entries, Bytes key) {
        return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
    }
}
