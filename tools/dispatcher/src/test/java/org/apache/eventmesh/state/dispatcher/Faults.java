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
package org.apache.eventmesh.state.dispatcher;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.tck.kit.StoreKit;

import static org.apache.eventmesh.state.tck.kit.Stages.get;

/** What the tests of faults are told with. */
interface Faults {
    String ORDERS = "orders";
    String SIGNALS = "signals";
    Partition ORDERS_0 = new Partition(ORDERS, 0);
    Partition SIGNALS_0 = new Partition(SIGNALS, 0);
    Subscriber BILLING = Subscriber.group("billing");
    ClientId ALICE = new ClientId("alice");
    ClientId BOB = new ClientId("bob");
    ClientId CAROL = new ClientId("carol");

    StoreKit kit();

    /** A runtime more. Who is to take over is there before the other crashes: memory ends with its last process. */
    default Node node(String name) {
        return new Node(kit().open(name));
    }

    /** Until every hand-out that was given has ended. */
    default void letHandOutsEnd() {
        kit().passTime(Node.SETTINGS.hold().plusSeconds(1));
    }

    /** Until the broker gives again what it was not told to be done. */
    default void letInvisibleTimeEnd() {
        kit().passTime(Node.SETTINGS.invisible().plusSeconds(1));
    }

    static List<Long> offsets(List<HandOut> handOuts) {
        return handOuts.stream().map(handOut -> handOut.delivery().offset()).toList();
    }

    static Subscriber broadcastTo(ClientId client) {
        return Subscriber.single(client.value());
    }

    /** All at the same moment, each on a thread of its own; their results in order. */
    static <R> List<R> together(List<? extends Callable<R>> actions) {
        ExecutorService threads = Executors.newFixedThreadPool(actions.size());
        CountDownLatch ready = new CountDownLatch(actions.size());
        try {
            List<CompletableFuture<R>> running = new ArrayList<>();
            for (Callable<R> action : actions) {
                CompletableFuture<R> result = new CompletableFuture<>();
                running.add(result);
                threads.execute(() -> {
                    ready.countDown();
                    try {
                        ready.await();
                        result.complete(action.call());
                    } catch (Exception | AssertionError failure) {
                        result.completeExceptionally(failure);
                    }
                });
            }
            return running.stream().map(result -> get(result)).toList();
        } finally {
            threads.shutdownNow();
        }
    }
}
