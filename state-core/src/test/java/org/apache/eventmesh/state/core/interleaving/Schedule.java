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

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Where threads may be made to wait for one another. {@link Weaver} writes these calls into the code under test; threads
 * that are not {@linkplain Player played} are not made to wait, and have nothing to do with those that are.
 */
public final class Schedule {
    /** Stands for all locks where a thread is not played: coarse, and right for those among themselves. */
    private static final ReentrantLock OTHERS = new ReentrantLock();

    private Schedule() {}

    /** Something that other threads may see comes next. */
    public static void point(String place) {
        Player me = Player.current();
        if (me != null) {
            me.interleaving().point(me, place);
        }
    }

    /** A lock is taken; it stands for a monitor or a {@code ReentrantLock}, which is not touched. */
    public static void enter(Object lock, String place) {
        Player me = Player.current();
        if (me != null) {
            me.interleaving().enter(me, lock, place);
        } else {
            OTHERS.lock();
        }
    }

    /** It is given back. */
    public static void exit(Object lock) {
        Player me = Player.current();
        if (me != null) {
            me.interleaving().exit(me, lock);
        } else {
            OTHERS.unlock();
        }
    }

    /** Whoever waits on the monitor is woken: in scenarios nobody does. */
    public static void notified(Object monitor) {}

    /** For scenarios: waits until it is so. Changes nothing and never throws. */
    public static void await(BooleanSupplier condition) {
        Player me = Player.current();
        if (me == null) {
            throw new IllegalStateException("only a thread of a scenario can wait");
        }
        me.interleaving().await(me, condition);
    }
}
