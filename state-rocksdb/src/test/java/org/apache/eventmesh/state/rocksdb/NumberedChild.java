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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Durability;

/**
 * A process that writes numbered commits until it fails or is ended, and tells on standard output what is kept from then
 * on: {@code kept NUMBER} for what was answered at {@code DISK}, or synced since at {@code PROCESS}; {@code late NUMBER}
 * when the power had gone when it heard of it; and now and then {@code made NUMBER} for what was answered.
 */
final class NumberedChild {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Not every answer at PROCESS is told: telling takes longer. */
    private static final int SOME = 16;

    private NumberedChild() {}

    /** Arguments: the directory, the level, the number of the first commit, and {@link Mount#powerGone}. */
    public static void main(String[] args) {
        Durability level = Durability.valueOf(args[1]);
        int first = Integer.parseInt(args[2]);
        try {
            RocksEngine engine = new RocksEngineProvider()
                    .open(Engines.config(Engines.uri(Path.of(args[0])), Map.of(), EngineListener.NONE, DEADLINE));
            say("ready");
            write(engine, level, first, Path.of(args[3]));
        } catch (StateStoreException e) {
            say("failed " + e.getMessage());
        }
    }

    private static void write(RocksEngine engine, Durability level, int first, Path powerGone) {
        long before = -1;
        int kept = first - 1;
        for (int number = first; ; number++) {
            long revision = Engines.applied(engine, level, PowerLossOnExt4Test.COMMITS.commit(number));
            if (before < 0) {
                before = revision - 1;
            }
            int now = level == Durability.DISK
                    ? number
                    : (int) (first - 1 + Math.max(0, engine.syncedRevision() - before));
            if (now > kept) {
                kept = now;
                // in this order: what was heard before the power went
                say((Files.exists(powerGone) ? "late " : "kept ") + kept);
            }
            if (number % SOME == 0) {
                say("made " + number);
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
