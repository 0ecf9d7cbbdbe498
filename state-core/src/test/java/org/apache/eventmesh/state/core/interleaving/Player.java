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

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that goes on only when it is told to. It plays one thread of a scenario after the other. */
final class Player extends Thread {
    private final Semaphore baton = new Semaphore(0);
    private volatile @Nullable Interleaving interleaving;
    private volatile @Nullable Runnable task;

    // What follows is read and written by whoever has the baton.

    boolean done = true;

    @Nullable
    Held wants;

    @Nullable
    BooleanSupplier until;

    String place = "its beginning";

    /** A lock and who has it. */
    static final class Held {
        @Nullable
        Player by;

        int depth;
    }

    Player(int number) {
        super("player " + number);
        setDaemon(true);
    }

    static @Nullable Player current() {
        return Thread.currentThread() instanceof Player me && !me.done ? me : null;
    }

    Interleaving interleaving() {
        Interleaving now = interleaving;
        if (now == null) {
            throw new IllegalStateException("it plays nothing");
        }
        return now;
    }

    /** Gets its part; plays it when it goes on. */
    void take(Interleaving in, Runnable part) {
        interleaving = in;
        task = part;
        done = false;
        wants = null;
        until = null;
        place = "its beginning";
    }

    void goOn() {
        baton.release();
    }

    void pause() {
        baton.acquireUninterruptibly();
    }

    @Override
    public void run() {
        while (true) {
            pause();
            Runnable part = task;
            if (part == null) {
                return;
            }
            task = null;
            Interleaving in = interleaving();
            try {
                part.run();
            } catch (Throwable e) {
                in.failed(this, e);
                return;
            }
            in.ended(this);
        }
    }
}
