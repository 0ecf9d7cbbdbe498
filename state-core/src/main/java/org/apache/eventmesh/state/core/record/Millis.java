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
package org.apache.eventmesh.state.core.record;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Times as they stand on disk: milliseconds since 1970. A time is truncated where it enters, so that what a caller is told
 * at once equals what is read later.
 */
public final class Millis {
    private Millis() {}

    public static long now(InstantSource clock) {
        return of(clock.instant());
    }

    /** Times before 1970 become 1970 and times beyond a long of milliseconds the greatest: keys hold neither. */
    public static long of(Instant instant) {
        try {
            return Math.max(0, instant.toEpochMilli());
        } catch (ArithmeticException beyond) {
            return instant.getEpochSecond() < 0 ? 0 : Long.MAX_VALUE;
        }
    }

    /** A length of time, rounded up; one beyond a long of milliseconds becomes the greatest. */
    public static long of(Duration length) {
        try {
            long millis = length.toMillis();
            return length.minusMillis(millis).isZero() ? millis : Math.addExact(millis, 1);
        } catch (ArithmeticException beyond) {
            return Long.MAX_VALUE;
        }
    }

    /** A time after another, both not negative; one beyond a long of milliseconds becomes the greatest. */
    public static long after(long time, long length) {
        return time > Long.MAX_VALUE - length ? Long.MAX_VALUE : time + length;
    }

    public static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    /** The first millisecond that does not lie before an instant: what stands on disk compares with it as times do. */
    public static long from(Instant instant) {
        long millis = of(instant);
        return instant(millis).isBefore(instant) && millis < Long.MAX_VALUE ? millis + 1 : millis;
    }
}
