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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;

/** Closes an engine under the hands of eight threads, again and again. Ends with 0 when each call was answered. */
final class BusyClosing {
    private static final int THREADS = 8;

    private final AtomicLong answers = new AtomicLong();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    private BusyClosing() {}

    public static void main(String[] args) throws InterruptedException {
        BusyClosing closing = new BusyClosing();
        for (int round = 0; round < Integer.parseInt(args[1]); round++) {
            closing.round(Engines.open(Path.of(args[0])));
        }
        Throwable wrong = closing.wrong.get();
        if (wrong != null) {
            wrong.printStackTrace();
            System.exit(1);
        }
        System.out.println("answered " + closing.answers.get());
    }

    private void round(RocksEngine engine) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> use(engine, number));
            thread.start();
            threads.add(thread);
        }
        long before = answers.get();
        Awaitility.await().until(() -> answers.get() > before + 500);
        engine.close();
        for (Thread thread : threads) {
            thread.join(20_000);
            if (thread.isAlive()) {
                wrong.set(new AssertionError("a call was never answered"));
            }
        }
    }

    private void use(RocksEngine engine, int number) {
        KeyRange all = new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 0xFF));
        Bytes key = Engines.inFlight("k" + number);
        try {
            while (true) {
                Await.result(engine.commit(List.of(Engines.put(key, "v")), Durability.PROCESS)
                        .get(0));
                // Some reads wait in the queue when it closes.
                List<CompletionStage<?>> reads = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    reads.add(engine.read(List.of(key)));
                    reads.add(engine.scan(all, 100));
                }
                reads.forEach(Await::result);
                Await.result(engine.commit(List.of(Engines.delete(key)), Durability.DISK)
                        .get(0));
                answers.addAndGet(10);
            }
        } catch (StoreClosedException e) {
            answers.incrementAndGet();
        } catch (RuntimeException e) {
            wrong.set(e instanceof CompletionException && e.getCause() != null ? e.getCause() : e);
        }
    }
}
