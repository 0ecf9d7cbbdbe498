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
package org.apache.eventmesh.state.core.commit;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one way back to the caller's code: everything of his runs on the callback executor and harms only itself. */
public final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

    private final Executor stages;
    private final Executor listeners;
    private final StoreEvents events;

    /**
     * Over two executors, so that no listener can be in the way of a stage.
     *
     * @param stages where stages complete
     * @param listeners where listeners are called, each by one task at a time; any number of them may block there
     * @param listener of the store
     */
    public Callbacks(Executor stages, Executor listeners, StoreListener listener) {
        this.stages = stages;
        this.listeners = listeners;
        this.events = new StoreEvents(listener, this::listen);
    }

    /** Everything on one executor. */
    public Callbacks(Executor executor, StoreListener listener) {
        this(executor, executor, listener);
    }

    /**
     * Completes a stage soon. An executor that refuses, because it is full or shut down, or that throws anything else must
     * not leave a stage incomplete.
     */
    public void run(Runnable task) {
        try {
            stages.execute(task);
        } catch (RuntimeException | Error e) {
            elsewhere(task, e);
        }
    }

    /** Calls a listener soon, as {@link #run}; for each listener only one such task is under way. */
    public void listen(Runnable task) {
        try {
            listeners.execute(task);
        } catch (RuntimeException | Error e) {
            elsewhere(task, e);
        }
    }

    private static void elsewhere(Runnable task, Throwable refusal) {
        ForkJoinPool.commonPool().execute(task);
        Report.error(LOG, "the callback executor refused a task, which runs on the common pool: give it room", refusal);
    }

    /** Tells the store listener. */
    public void tell(Consumer<StoreListener> event) {
        events.add(event);
    }

    /** Reports that a listener of the caller threw. */
    public void listenerFailed(StoreName store, Throwable failure) {
        LOG.warn("a listener of {} threw; only its own event is lost", store, failure);
        tell(to -> to.listenerFailed(store, failure));
    }
}
