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
package org.apache.eventmesh.state.bench.etcd;

import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** How long single writes took, one after the other. */
final class Latency {
    private long[] nanos = new long[1 << 12];
    private int count;

    /** Writes for so long, on one place, each when the one before is answered. */
    void measure(FencedWrites writes, long millis) throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long begun = System.nanoTime();
        while (begun < end) {
            writes.write(0).toCompletableFuture().get();
            long now = System.nanoTime();
            add(now - begun);
            begun = now;
        }
    }

    private void add(long took) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = took;
    }

    int count() {
        return count;
    }

    /** In microseconds: so many percent took no longer. */
    double percentile(double percent) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, (long) (count * percent / 100))] / 1e3;
    }
}
