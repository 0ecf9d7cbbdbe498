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
package org.apache.eventmesh.state.core.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.apache.eventmesh.state.core.commit.Report;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other, in order, on threads of an executor; bounded. */
final class Mailbox {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    /** After so many the thread is given back, so that one busy mailbox does not keep it. */
    private static final int AT_ONCE = 256;

    private final Executor executor;
    private final int bound;

    /** Guarded by this. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private boolean scheduled;

    Mailbox(Executor executor, int bound) {
        this.executor = executor;
        this.bound = bound;
    }

    /** {@code false} when too many wait: the task is not run. */
    boolean offer(Runnable task) {
        synchronized (this) {
            if (waiting.size() >= bound) {
                return false;
            }
        }
        add(task);
        return true;
    }

    /** For the few that must not be lost; beyond the bound too. */
    void add(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        executor.execute(this::run);
    }

    private void run() {
        for (int i = 0; i < AT_ONCE; i++) {
            Runnable next;
            synchronized (this) {
                if (waiting.isEmpty()) {
                    scheduled = false;
                    return;
                }
                next = waiting.remove();
            }
            try {
                next.run();
            } catch (Throwable e) {
                // an Error too: what comes later would wait for ever
                Report.error(LOG, "a task of a mailbox threw", e);
            }
        }
        executor.execute(this::run);
    }
}
