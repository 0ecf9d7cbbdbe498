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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.core.key.DeliveryKind;

/**
 * Which marks of settled deliveries have lived long enough. Those that were found when the shard was loaded live anew from
 * then; when they end, those settled since are spared.
 */
final class MarkLives {
    private final Marks marks;
    private final LongSupplier nanos;

    /** Numbers below are older than the loading. */
    private final long firstNew;

    /** Older deliveries that were settled since, while marks that were found still live. */
    private final LongCounts settledSince = new LongCounts();

    /** Offsets of fan-outs that were confirmed since, while marks that were found still live. */
    private final Set<Long> confirmedSince = new HashSet<>();

    private boolean foundLive = true;

    MarkLives(long lifeNanos, LongSupplier nanos, long firstNew) {
        this.marks = new Marks(lifeNanos);
        this.nanos = nanos;
        this.firstNew = firstNew;
    }

    void committed(ShardIndex index, List<OpenDelivery> settled, List<Long> confirmed) {
        if (settled.isEmpty() && confirmed.isEmpty()) {
            return;
        }
        long now = nanos.getAsLong();
        for (OpenDelivery delivery : settled) {
            if (foundLive && delivery.number() < firstNew) {
                settledSince.add(delivery.number(), 1);
            }
            if (delivery.key().kind() != DeliveryKind.UNORDERED) {
                marks.settled(delivery.number(), now);
            } else if (index.fanOut(delivery.offset()) != null) {
                marks.settledUnconfirmed(delivery.number(), delivery.offset());
            } else {
                marks.settledByMessage(delivery.number(), now);
            }
        }
        for (long offset : confirmed) {
            marks.confirmed(offset, now);
            if (foundLive) {
                confirmedSince.add(offset);
            }
        }
    }

    boolean anyEnded() {
        return marks.anyEnded(nanos.getAsLong());
    }

    /** Takes some that have ended. */
    SweepMarks sweep(int most) {
        long now = nanos.getAsLong();
        List<Long> plain = new ArrayList<>();
        List<Long> byMessage = new ArrayList<>();
        while (plain.size() + byMessage.size() < most) {
            long number = marks.takePlain(now);
            if (number != 0) {
                plain.add(number);
                continue;
            }
            number = marks.takeByMessage(now);
            if (number == 0) {
                break;
            }
            byMessage.add(number);
        }
        return new SweepMarks(plain, byMessage);
    }

    /** They could not be removed; they live again. */
    void failed(SweepMarks sweep) {
        long now = nanos.getAsLong();
        sweep.plain().forEach(number -> marks.settled(number, now));
        sweep.byMessage().forEach(number -> marks.settledByMessage(number, now));
    }

    long firstNew() {
        return firstNew;
    }

    /** Whether a mark that was found has ended; otherwise it lives on, or has a life of its own by now. */
    boolean foundEnded(ShardIndex index, long number, long offset) {
        if (settledSince.get(number) > 0) {
            return false;
        }
        if (index.fanOut(offset) != null) {
            marks.settledUnconfirmed(number, offset);
            return false;
        }
        if (confirmedSince.contains(offset)) {
            marks.settledByMessage(number, nanos.getAsLong());
            return false;
        }
        return true;
    }

    /** All that were found are gone or have a life of their own. */
    void foundSwept() {
        foundLive = false;
        confirmedSince.clear();
    }
}
