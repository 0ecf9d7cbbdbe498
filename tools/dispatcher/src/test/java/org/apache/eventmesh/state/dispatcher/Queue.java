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
package org.apache.eventmesh.state.dispatcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** A broker that gives each message for a time, with one partition. */
final class Queue implements PopBroker {
    private static final class Entry {
        final BrokerMessage message;
        Instant visibleAt = Instant.MIN;
        int given;
        boolean acknowledged;

        Entry(BrokerMessage message) {
            this.message = message;
        }

        String handle() {
            return message.offset() + "/" + given;
        }
    }

    private final InstantSource clock;
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private boolean refusing;

    Queue(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void publish(int count) {
        for (int n = 0; n < count; n++) {
            long offset = entries.size();
            entries.add(new Entry(new BrokerMessage(offset, Bytes.utf8("signal " + offset), Attributes.NONE)));
        }
    }

    /** As if the broker was away: from now on acknowledgements fail, or do so no more. */
    synchronized void refuse(boolean acknowledgements) {
        refusing = acknowledgements;
    }

    @Override
    public synchronized List<Popped> pop(Partition partition, int most, Duration invisible) {
        Instant now = clock.instant();
        List<Popped> popped = new ArrayList<>();
        for (Entry entry : entries) {
            if (popped.size() < most && !entry.acknowledged && !now.isBefore(entry.visibleAt)) {
                entry.given++;
                entry.visibleAt = now.plus(invisible);
                popped.add(new Popped(entry.message, entry.handle()));
            }
        }
        return popped;
    }

    @Override
    public synchronized boolean acknowledge(Partition partition, String handle) {
        if (refusing) {
            throw new IllegalStateException("the broker is away");
        }
        for (Entry entry : entries) {
            if (entry.handle().equals(handle) && clock.instant().isBefore(entry.visibleAt)) {
                entry.acknowledged = true;
                acknowledged.add(handle);
                return true;
            }
        }
        return false;
    }

    /** The handles that were accepted, in order: the message's offset, and how often it had been given. */
    synchronized List<String> acknowledged() {
        return List.copyOf(acknowledged);
    }
}
