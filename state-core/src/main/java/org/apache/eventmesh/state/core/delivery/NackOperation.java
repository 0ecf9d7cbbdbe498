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
package org.apache.eventmesh.state.core.delivery;

import java.util.Optional;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.Failure;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Ends a hand-out by its client's refusal: due again, or given up with the last failure that the policy allows. */
record NackOperation(Nack nack, Retry retry) implements ShardOperation<NackResult> {
    /** Failures kept with their reasons; all are counted. */
    private static final int HISTORY = 20;

    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "nack";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        Arguments.reason(nack.reason());
        OpenDelivery delivery = committed.delivery(nack.receipt().delivery().number());
        if (delivery == null) {
            Receipts.prepare(committed, nack.receipt(), wanted);
        } else if (delivery.readable() && last(delivery.record())) {
            GivenUp.prepare(committed.partition(), delivery, wanted);
        }
    }

    @Override
    public NackResult decide(ShardDraft draft) {
        OpenDelivery delivery = Receipts.open(draft, nack.receipt());
        if (delivery == null) {
            return settledBefore(draft);
        }
        Optional<NackResult.DeadLettered> givenUp =
                GivenUp.repeated(delivery, nack.receipt().epoch());
        if (givenUp.isPresent()) {
            return givenUp.get();
        }
        if (repeated(delivery)) {
            DeliveryRecord.LastNack first = delivery.record().getLastNack();
            return new NackResult.Rescheduled(first.getFailures(), Millis.instant(first.getDueAtMillis()));
        }
        Optional<Refused> refusal = Receipts.refusal(delivery, nack.receipt(), nack.from());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        DeliveryRecord.Builder failed = failed(delivery.record(), draft.now());
        return last(delivery.record())
                ? GivenUp.giveUp(draft, delivery, failed.build(), nack.receipt().epoch(), nack.reason())
                : reschedule(draft, delivery, failed);
    }

    @Override
    public NackResult fenced(Fenced why) {
        return why;
    }

    private boolean last(DeliveryRecord record) {
        return record.getFailureCount() + 1 >= retry.maxFailures();
    }

    /** Whether this very nack came before, and no hand-out since. */
    private boolean repeated(OpenDelivery delivery) {
        DeliveryRecord record = delivery.record();
        return record.hasLastNack()
                && delivery.receiver().isEmpty()
                && record.getLastNack().getEpoch() == nack.receipt().epoch()
                && record.getLastNack().getClient().equals(nack.from().value());
    }

    private DeliveryRecord.Builder failed(DeliveryRecord record, long now) {
        DeliveryRecord.Builder failed = record.toBuilder().setFailureCount(record.getFailureCount() + 1);
        while (failed.getFailuresCount() >= HISTORY) {
            failed.removeFailures(0);
        }
        return failed.addFailures(Failure.newBuilder().setAtMillis(now).setReason(nack.reason()));
    }

    private NackResult reschedule(ShardDraft draft, OpenDelivery delivery, DeliveryRecord.Builder failed) {
        int failures = failed.getFailureCount();
        long dueAt = Times.after(draft.now(), retry.delay(failures));
        failed.setEpoch(draft.number())
                .clearReceiver()
                .clearLeaseUntilMillis()
                .setDueAtMillis(dueAt)
                .setLastNack(DeliveryRecord.LastNack.newBuilder()
                        .setEpoch(nack.receipt().epoch())
                        .setClient(nack.from().value())
                        .setFailures(failures)
                        .setDueAtMillis(dueAt));
        draft.update(delivery, failed.build(), Optional.empty());
        return new NackResult.Rescheduled(failures, Millis.instant(dueAt));
    }

    private NackResult settledBefore(ShardDraft draft) {
        Optional<SettledMark> mark = SettledMark.find(draft, nack.receipt());
        return mark.isPresent() ? mark.get().givenUp(nack.receipt().epoch()) : new Refused.Unknown();
    }
}
