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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Range;
import org.apache.eventmesh.state.etcd.client.RangeAnswer;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether etcd is there, and is what it was: when nobody asks it anything, and, often, while it is
 * away. Gives up what has waited for too long, and keeps the lease of the commit slots.
 */
final class Pulse {
    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);
    private static final long TICK_MILLIS = 250;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final long KEEP_ALIVE_HOURS = 1;

    private final Writing writing;
    private final String incarnation;
    private final AtomicBoolean looking = new AtomicBoolean();

    Pulse(Writing writing, String incarnation) {
        this.writing = writing;
        this.incarnation = incarnation;
    }

    void start() {
        var unused = writing.timer()
                .scheduleWithFixedDelay(
                        Guarded.periodic(writing.name() + ": looking after etcd", this::tick),
                        TICK_MILLIS,
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
        unused = writing.timer()
                .scheduleWithFixedDelay(
                        Guarded.periodic(writing.name() + ": keeping the slots", this::keepSlots),
                        KEEP_ALIVE_HOURS,
                        KEEP_ALIVE_HOURS,
                        TimeUnit.HOURS);
    }

    private void tick() {
        writing.line().giveUpLate();
        Availability availability = writing.availability();
        if (availability.hasStopped()) {
            return;
        }
        boolean due = availability.suspect() || availability.quietNanos() > QUIET_NANOS;
        if (due && looking.compareAndSet(false, true)) {
            try {
                look();
            } catch (RuntimeException | Error e) {
                // nothing was asked, so no answer will allow the next look
                looking.set(false);
                throw e;
            }
        }
    }

    private void keepSlots() {
        if (!writing.availability().hasStopped()) {
            writing.slots().keepAlive();
        }
    }

    private void look() {
        long asked = writing.availability().asking();
        writing.ask(
                writing.client().range(Range.one(writing.keys().incarnation()), DEADLINE),
                answer -> {
                    looking.set(false);
                    seen(answer, asked);
                },
                failure -> {
                    looking.set(false);
                    writing.availability().failed(failure);
                });
    }

    private void seen(RangeAnswer answer, long asked) {
        Availability availability = writing.availability();
        try {
            if (answer.entries().isEmpty()) {
                throw availability.stop("its incarnation is gone");
            }
            if (!answer.entries().get(0).value().toUtf8().equals(incarnation)) {
                throw availability.stop("it has another incarnation");
            }
            availability.answered(answer.header(), asked);
        } catch (StateStoreException e) {
            LOG.debug("{}: found to be another", writing.name(), e);
            return;
        }
        if (availability.isFull()) {
            lookForSpace();
        }
    }

    private void lookForSpace() {
        writing.ask(
                writing.client().statuses(DEADLINE),
                statuses -> {
                    boolean alarm = statuses.stream()
                            .flatMap(status -> status.errors().stream())
                            .anyMatch(error -> error.contains("NOSPACE"));
                    if (!alarm) {
                        writing.availability().hasSpace();
                    }
                },
                failure -> {
                    if (failure.failure() == Failure.PERMISSION) {
                        // newer servers tell their state to administrators alone
                        tryToWrite();
                    } else {
                        writing.availability().failed(failure);
                    }
                });
    }

    private void tryToWrite() {
        writing.ask(
                writing.slots().tryToWrite(DEADLINE),
                answer -> writing.availability().hasSpace(),
                writing.availability()::failed);
    }
}
