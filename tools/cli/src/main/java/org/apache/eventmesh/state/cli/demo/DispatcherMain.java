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
package org.apache.eventmesh.state.cli.demo;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;

/** The process that is killed: a dispatcher on RocksDB that talks to the world by lines. */
final class DispatcherMain {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private DispatcherMain() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        try (StateStores stores =
                        StateStores.open("rocksdb://" + Path.of(args[0]).toUri().getRawPath());
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Member me = Await.result(stores.join("demo", LEASE));
            Dispatcher dispatcher = new Dispatcher(stores, me, wire -> print(out, wire));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Wire wire = Wire.parse(line);
                if (wire.word().equals("STOP")) {
                    break;
                }
                dispatcher.handle(wire);
            }
            dispatcher.stop();
        }
    }

    /** One line at a time, flushed: what is printed has left this process. */
    private static void print(PrintStream out, Wire wire) {
        synchronized (out) {
            out.println(wire.line());
            out.flush();
        }
    }
}
