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

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.shard.FanOutState;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Unreadable;

/**
 * Settles what is open for a subscriber that is gone. Its entry ends first, so that no opening goes on for it; then what
 * other hosts gave up for it is forgotten, its deliveries end, and the targets that were not opened yet.
 *
 * @param damaged is told of tasks that cannot be decoded; they stay as they are, their deliveries end
 */
record WithdrawStep(Subscriber subscriber, Consumer<Unreadable> damaged) implements SweepStep {
    /** Deliveries of one commit, and dead letters of other hosts; more would keep others waiting. */
    private static final int MOST = 500;

    @Override
    public String name() {
        return "withdraw";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        Reader reader = committed.reader(subscriber);
        if (reader != null) {
            reader.open().values().stream().limit(MOST).forEach(delivery -> CarriedTask.prepare(delivery, wanted));
        }
    }

    @Override
    public SweepPart decide(ShardDraft draft) {
        draft.sync();
        draft.index().departures().withdrawn(subscriber, draft.number());
        boolean changed = end(draft);
        changed |= draft.forgetSomeDeadBefore(subscriber, MOST) > 0;
        if (draft.index().anyDeadBefore(subscriber)) {
            return part(draft, changed, 0);
        }
        long count = 0;
        for (OpenDelivery delivery : open(draft)) {
            if (count == MOST || !draft.fits(12, bytes(draft, delivery))) {
                return part(draft, changed, count);
            }
            CarriedTask.settleReadable(draft, delivery, Refused.How.WITHDRAWN, "its queue was withdrawn")
                    .ifPresent(damaged);
            draft.settle(delivery, SettledMark.of(delivery, MarkRecord.How.WITHDRAWN, 0));
            count++;
            changed = true;
        }
        for (Map.Entry<Long, FanOutState> fanOut : waiting(draft)) {
            FanOutState state = fanOut.getValue();
            if (!draft.fits(1, state.record().getSerializedSize() + 1024L)) {
                return part(draft, changed, count);
            }
            Set<Subscriber> others = new LinkedHashSet<>(state.notOpened());
            others.remove(subscriber);
            draft.fanOut(fanOut.getKey(), state.waitingFor(others));
            changed = true;
        }
        return new SweepPart.Done(count, false);
    }

    private boolean end(ShardDraft draft) {
        if (!draft.index().hasProgress(subscriber)) {
            return false;
        }
        if (!draft.fits(2, 2L * draft.readerBytes(subscriber))) {
            throw draft.noRoom();
        }
        draft.place(subscriber, null);
        return true;
    }

    private List<OpenDelivery> open(ShardDraft draft) {
        Reader reader = draft.index().reader(subscriber);
        if (reader == null) {
            return List.of();
        }
        List<OpenDelivery> open = new ArrayList<>(reader.open().values());
        // over two backends: they are dead letters, or about to be
        open.removeIf(OpenDelivery::givenUp);
        return open;
    }

    private List<Map.Entry<Long, FanOutState>> waiting(ShardDraft draft) {
        List<Map.Entry<Long, FanOutState>> waiting = new ArrayList<>();
        for (Map.Entry<Long, FanOutState> fanOut : draft.index().fanOuts().entrySet()) {
            if (fanOut.getValue().notOpened().contains(subscriber)) {
                waiting.add(Map.entry(fanOut.getKey(), fanOut.getValue()));
            }
        }
        return waiting;
    }

    private static long bytes(ShardDraft draft, OpenDelivery delivery) {
        return 6L * draft.readerBytes(delivery.subscriber())
                + 4096
                + draft.handleBytes(delivery)
                + CarriedTask.bytes(draft, delivery);
    }

    private static SweepPart part(ShardDraft draft, boolean changed, long count) {
        if (!changed) {
            throw draft.noRoom();
        }
        return new SweepPart.Done(count, true);
    }
}
