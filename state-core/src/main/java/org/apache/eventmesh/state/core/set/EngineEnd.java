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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.engine.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The close of an engine, on a thread that can be left behind with it: it may be stuck in a call into a disk, and each
 * engine waits for a deadline of its own. What the set has left of its deadline is what it is waited for.
 */
final class EngineEnd {
    private static final Logger LOG = LoggerFactory.getLogger(EngineEnd.class);

    private final String name;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private EngineEnd(String name) {
        this.name = name;
    }

    /** @param name for messages, since an engine that is closed has none */
    static EngineEnd begin(Engine engine, String name) {
        EngineEnd end = new EngineEnd(name);
        Thread thread = new Thread(() -> end.close(engine), "state-close " + name);
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    private void close(Engine engine) {
        try {
            engine.close();
            ended.complete(null);
        } catch (Throwable e) {
            // an Error too: it is thrown where the close was asked for
            ended.completeExceptionally(e);
        }
    }

    /**
     * Also on a thread that is interrupted: who has closed it may open it again. What the engine threw is thrown here.
     *
     * @param until in nanoseconds of {@link System#nanoTime}
     */
    void await(long until) {
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                ended.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                over = true;
            } catch (TimeoutException e) {
                LOG.error("{} is not closed by the deadline: what it holds stays taken until its calls return", name);
                var unused = ended.whenComplete((done, failure) -> LOG.info("{} is closed now", name, failure));
                over = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        rethrow();
    }

    private void rethrow() {
        try {
            ended.getNow(null);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
