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

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.value.Durability;

/**
 * An engine in a process of its own, that does what its standard input says and tells on standard output. Every line of
 * an answer begins with the number of the line that asked.
 */
final class EngineChild {
    private EngineChild() {}

    public static void main(String[] args) throws Exception {
        EngineListener listener = new EngineListener() {
            @Override
            public void healthChanged(EngineHealth now) {
                say("health " + (now.up() ? "up" : "down"));
            }

            @Override
            public void unknown(String what) {
                say("unknown " + what);
            }
        };
        RocksEngine engine;
        try {
            engine = new RocksEngineProvider()
                    .open(Engines.config(
                            Engines.uri(Path.of(args[0])),
                            Map.of(),
                            listener,
                            Duration.ofMillis(Long.parseLong(args[1]))));
        } catch (RuntimeException e) {
            say("refused " + e.getClass().getSimpleName() + " " + e.getMessage());
            return;
        }
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            run(engine, ++number, line.split(" "));
        }
    }

    private static void run(RocksEngine engine, int number, String[] words) {
        switch (words[0]) {
            case "put" -> put(engine, number, Durability.valueOf(words[1]), words[2]);
            case "storm" -> storm(engine, number);
            case "synced" -> say(number + " synced " + engine.syncedRevision());
            case "health" -> say(number + " health " + engine.health().up());
            case "close" -> {
                engine.close();
                say(number + " closed");
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void put(RocksEngine engine, int number, Durability level, String name) {
        engine.commit(List.of(Engines.put(Engines.inFlight(name), name)), level)
                .get(0)
                .whenComplete((result, failure) -> {
                    if (failure != null) {
                        say(number + " failed " + failure.getClass().getSimpleName() + " " + failure.getMessage());
                    } else {
                        say(number + " applied " + ((CommitResult.Applied) result).revision());
                    }
                });
    }

    /** Writes without syncing until it is killed. */
    private static void storm(RocksEngine engine, int number) {
        for (int i = 0; ; i++) {
            put(engine, number, Durability.PROCESS, "storm-" + i);
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
