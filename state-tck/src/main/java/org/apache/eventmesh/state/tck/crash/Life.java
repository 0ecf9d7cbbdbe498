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
package org.apache.eventmesh.state.tck.crash;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Power;
import org.jspecify.annotations.Nullable;

/** One life of a child: its store set, its member, and its way to tell the parent. */
final class Life {
    /** Behind every line, as a kill may cut the last one. */
    static final String WHOLE = " .";

    /** Before a line that is said when the power has gone. */
    static final String LATE = "late ";

    /** Names {@link Power#gone()} for a child. */
    static final String POWER_GONE = "crash.power.gone";

    private static final @Nullable Path GONE =
            Optional.ofNullable(System.getProperty(POWER_GONE)).map(Path::of).orElse(null);

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final List<String> arguments;
    private final StateStores stores;
    private final Member member;

    Life(StateStores stores, List<String> arguments) {
        this.stores = stores;
        this.arguments = arguments;
        this.member = Await.result(stores.join("child", LEASE));
    }

    StateStores stores() {
        return stores;
    }

    Member member() {
        return member;
    }

    /** What the parent said when it let the child begin. */
    String argument(int number) {
        return arguments.get(number);
    }

    /** Claims, whoever held it: that one is dead. */
    Shard shard(Partition partition) {
        Shard shard = Await.result(stores.deliveries().takeOver(member, partition));
        say("epoch " + partition.topic() + " " + shard.token().epoch());
        return shard;
    }

    /** The line is with the operating system when this returns: no kill takes it back. */
    static void say(String line) {
        // in this order: what it tells of was heard before the power went
        String said = GONE != null && Files.exists(GONE) ? LATE + line : line;
        byte[] bytes = (said + WHOLE + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (Life.class) {
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
        }
    }
}
