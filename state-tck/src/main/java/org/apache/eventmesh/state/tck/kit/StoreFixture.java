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
package org.apache.eventmesh.state.tck.kit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.eventmesh.state.engine.EngineProvider;

/**
 * A place of a backend to run one test in: all that a backend author writes for the kit. The kit makes one for every
 * test and closes it afterwards.
 */
public interface StoreFixture extends AutoCloseable {
    /** The provider that users get; its capabilities decide what the kit demands. */
    EngineProvider provider();

    /** An address that is empty when the test begins; the same for the life of this fixture. */
    String uri();

    /** The options to open with. */
    default Map<String, String> options() {
        return Map.of();
    }

    /** The second backend, which all hosts share, when store sets are to be opened over two; this is the local one then. */
    default Optional<StoreFixture> shared() {
        return Optional.empty();
    }

    /**
     * The local place of a host, in a set of two backends; those of different hosts have nothing in common.
     *
     * @param number 0 is the host of whoever names none
     */
    default StoreFixture host(int number) {
        if (number == 0) {
            return this;
        }
        throw new UnsupportedOperationException("a set over one backend has no hosts of its own");
    }

    /**
     * The address at which a checkpoint of this place is opened. Only for a provider that declares {@code CHECKPOINTS} and
     * whose addresses are others than its scheme and a directory.
     */
    default String restored(Path checkpoint) {
        return provider().scheme() + "://" + checkpoint;
    }

    /** A way to cut the backend off and to heal it; empty where there is nothing between the two to cut. */
    default Optional<Outage> outage() {
        return Optional.empty();
    }

    /** A way to take the disk that this place is on its power; empty where there is none. */
    default Optional<Power> power() {
        return Optional.empty();
    }

    /**
     * What the kit needs of a server that keeps the time of leases itself, so that tests need not wait as long as leases
     * are; empty for a backend that runs on the clock and ticker of its configuration.
     */
    default Optional<ServerTime> serverTime() {
        return Optional.empty();
    }

    /**
     * What can be done to the servers behind this place while many use it; empty where there are none. For tests in the
     * time of the machine, one at a time.
     */
    default List<Disturbance> disturbances() {
        return List.of();
    }

    /** Removes the place. All that the kit opened in it is closed by then. */
    @Override
    default void close() {}

    /**
     * A way to the leases of a server, whoever holds them. Used by one thread at a time; may wait for the server, which no
     * {@link Outage} keeps from answering.
     */
    interface ServerTime {
        /** Starts the time to live of a lease anew, as its holder's renewal does; {@code false} when it has ended. */
        boolean keepAlive(long leaseId);

        /** Ends a lease as the end of its time does; one that has ended is left as it is. */
        void end(long leaseId);
    }

    /** The power of a disk. What was not synced when it is lost is lost with it, whatever the operating system had. */
    interface Power {
        /**
         * Takes it, while a process writes; returns when it is gone. Nothing reaches the disk from then on.
         *
         * @param in from now
         */
        void lose(Duration in, Random random);

        /**
         * A file elsewhere that is there from a moment before the power goes until it is back. A process that lives on
         * without it may be told anything, also of syncs that never were; what it hears then is heard by nobody.
         */
        Path gone();

        /** Gives it back, when nobody uses the place any more: what is found there now is what the disk has. */
        void back();
    }

    /** Something that happens to servers, or to those who use them, from which they recover. */
    interface Disturbance {
        /** For a log, and to count. */
        String name();

        /**
         * Begins it; returns at once when it needs no time by itself.
         *
         * @return ends it, and returns when the servers are well again
         */
        Runnable begin(Random random);
    }

    /** What lies between a store set and its backend. */
    interface Outage {
        /** From now on no call gets through, in either direction. */
        void cut();

        /** As if nothing had been; calls made meanwhile may still arrive. */
        void heal();
    }
}
