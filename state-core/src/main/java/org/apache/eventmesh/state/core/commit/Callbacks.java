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
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one way back to the caller's code: everything of his runs on the callback executor and harms only itself. */
public final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

    private final Executor executor;
    private final StoreListener listener;

    public Callbacks(Executor executor, StoreListener listener) {
        this.executor = executor;
        this.listener = listener;
    }

    /** Runs it soon; an executor that refuses, because it is full or shut down, must not leave a stage incomplete. */
    public void run(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.warn("the callback executor refused a task, which now runs on the common pool: give it room", e);
            ForkJoinPool.commonPool().execute(task);
        }
    }

    /** Tells the store listener. */
    public void tell(Consumer<StoreListener> event) {
        if (listener == StoreListener.NONE) {
            return;
        }
        run(() -> {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                LOG.error("the store listener threw; only this one event is lost to it", e);
            }
        });
    }

    /** Reports that a listener of the caller threw. */
    public void listenerFailed(StoreName store, Throwable failure) {
        LOG.warn("a listener of {} threw; only its own event is lost", store, failure);
        tell(to -> to.listenerFailed(store, failure));
    }
}
