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
package org.apache.eventmesh.state.rocksdb;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Counts the native calls under way. RocksDB frees its memory on close, and a call that comes later kills the JVM: so
 * every call enters and leaves here, and handles are closed only when the guard is drained.
 */
final class Guard {
    /** Nothing was called: the handles are closed or about to be. */
    static final class ClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("the database is closed", null, false, false);
        }
    }

    private final StampedLock calls = new StampedLock();
    private volatile boolean closing;

    /** Gives the stamp to leave with. */
    long enter() {
        // The flag keeps newcomers out while the write lock below is still waiting; a read lock would overtake it.
        long stamp = closing ? 0 : calls.tryReadLock();
        if (stamp == 0) {
            throw new ClosedException();
        }
        return stamp;
    }

    void leave(long stamp) {
        calls.unlockRead(stamp);
    }

    /** Lets nobody in any more and waits for those inside; {@code false} when some are still there. Then ask again. */
    boolean drain(Duration atMost) throws InterruptedException {
        closing = true;
        // Never unlocked: who read the flag before it was set is refused by the lock.
        return calls.isWriteLocked() || calls.tryWriteLock(atMost.toNanos(), TimeUnit.NANOSECONDS) != 0;
    }
}
