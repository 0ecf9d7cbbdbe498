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
package org.apache.eventmesh.state.core.set;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All steps of an opening under one deadline. A step may never come back, such as a write to a stuck disk: they run on a
 * thread that can be left behind with it, and that closes what was opened when it comes back after all. It is not
 * interrupted: that would close the files of an engine that writes through channels.
 */
final class BoundedOpening {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedOpening.class);

    /** A step that reached the deadline knows what it waited for, which says more than that it did. */
    private static final Duration LAST_WORD = Duration.ofMillis(500);

    private final StoreSettings settings;
    private final CompletableFuture<StateStores> opened = new CompletableFuture<>();

    private BoundedOpening(StoreSettings settings) {
        this.settings = settings;
    }

    /**
     * The opened set, or the failure of the step that failed.
     *
     * @throws StoreUnavailableException when it was not open in time, or the caller was interrupted, which he still is
     */
    static StateStores within(StoreSettings settings, Supplier<StateStores> steps) {
        BoundedOpening opening = new BoundedOpening(settings);
        Thread thread = new Thread(() -> opening.run(steps), "state-open " + settings.places());
        thread.setDaemon(true);
        thread.start();
        return opening.await();
    }

    private void run(Supplier<StateStores> steps) {
        try {
            StateStores stores = steps.get();
            if (!opened.complete(stores)) {
                stores.close();
                LOG.warn("{} was open too late: it is closed again", settings.places());
            }
        } catch (Throwable e) {
            // an Error too: it is thrown where the opening was asked for
            if (!opened.completeExceptionally(e)) {
                LOG.warn("{} was given up, and could not be opened or closed", settings.places(), e);
            }
        }
    }

    private StateStores await() {
        try {
            return opened.get(settings.deadline().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return awaitLastWord();
        } catch (InterruptedException e) {
            return interrupted();
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        }
    }

    private StateStores awaitLastWord() {
        try {
            return opened.get(LAST_WORD.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp("not open within " + settings.deadline()
                    + ": look for a stuck disk or a backend that does not answer, or allow a longer deadline, and open"
                    + " again");
        } catch (InterruptedException e) {
            return interrupted();
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        }
    }

    private StateStores interrupted() {
        Thread.currentThread().interrupt();
        return giveUp("interrupted; open it again from a thread that is not");
    }

    /** Unless it came in the last moment. */
    private StateStores giveUp(String why) {
        opened.completeExceptionally(new StoreUnavailableException(
                "Opening " + settings.places() + ": " + why + ". What was begun is given back as soon as it ends"));
        try {
            return opened.join();
        } catch (CompletionException e) {
            throw unchecked(e.getCause());
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }
}
