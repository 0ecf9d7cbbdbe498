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
package org.apache.eventmesh.state.tck.fault;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What happens to the bytes of a proxy, and how many there were. */
final class Traffic {
    /** Of all connections of a proxy. */
    enum State {
        OPEN,
        CUT,
        SILENT,
        NO_REPLIES
    }

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** Guarded by this, as the next. */
    private State state = State.OPEN;

    private Duration delay = Duration.ZERO;

    synchronized void become(State next) {
        state = next;
        notifyAll();
    }

    synchronized void delay(Duration time) {
        delay = time;
    }

    synchronized boolean refuses() {
        return state == State.CUT;
    }

    synchronized long delayNanos() {
        return delay.toNanos();
    }

    /** Waits while bytes are held; what happens to them now. */
    synchronized State gate() throws InterruptedException {
        while (state == State.SILENT) {
            wait();
        }
        return state;
    }

    void count(boolean reply, int bytes) {
        (reply ? received : sent).addAndGet(bytes);
    }

    void countDropped(int bytes) {
        dropped.addAndGet(bytes);
    }

    long sent() {
        return sent.get();
    }

    long received() {
        return received.get();
    }

    long dropped() {
        return dropped.get();
    }
}
