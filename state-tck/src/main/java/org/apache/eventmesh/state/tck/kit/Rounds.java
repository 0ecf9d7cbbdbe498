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

import java.time.Duration;

/**
 * How long a test goes on that does the same again with other random numbers: for a number of rounds, or for some time.
 * {@code -Dsoak.seconds=…} gives each of them so much time instead; the limits of tests must be lifted then. For one
 * thread.
 */
public final class Rounds {
    private static final long SOAK_SECONDS = Long.getLong("soak.seconds", 0);

    private final long most;
    private final long begun = System.nanoTime();
    private final long length;
    private int number;

    private Rounds(long most, Duration length) {
        this.most = most;
        this.length = length.toNanos();
    }

    /**
     * So many.
     *
     * @param property of the system, which names another number
     * @param otherwise without it
     */
    public static Rounds of(String property, int otherwise) {
        return SOAK_SECONDS > 0 ? soak() : new Rounds(Integer.getInteger(property, otherwise), Duration.ZERO);
    }

    /** As many as begin in this time, and at least one. */
    public static Rounds within(Duration length) {
        return SOAK_SECONDS > 0 ? soak() : new Rounds(Long.MAX_VALUE, length);
    }

    private static Rounds soak() {
        return new Rounds(Long.MAX_VALUE, Duration.ofSeconds(SOAK_SECONDS));
    }

    /** Goes on to the next round; {@code false} when there is none. */
    public boolean next() {
        boolean goesOn = number < most && (number == 0 || inTime());
        if (goesOn) {
            number++;
        }
        return goesOn;
    }

    /** Whether there is time left; always, where the number of rounds counts. */
    public boolean inTime() {
        return length == 0 || System.nanoTime() - begun < length;
    }

    /** Of the round that runs, or of the last one; 1 is the first. */
    public int number() {
        return number;
    }
}
