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
package org.apache.eventmesh.state.core.interleaving;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An executor of a scenario: what it is given is run by those of the scenario's threads that {@linkplain #work work}. */
public final class Workers implements Executor {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int giving;

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    /** A thread that may give it something. */
    public Runnable giver(Runnable part) {
        giving++;
        return () -> {
            part.run();
            giving--;
        };
    }

    /** A thread that runs what it is given, until nobody gives anything any more. */
    public void work() {
        while (true) {
            Schedule.await(() -> !waiting.isEmpty() || giving == 0);
            Runnable next = waiting.poll();
            if (next == null) {
                return;
            }
            giving++;
            next.run();
            giving--;
        }
    }
}
