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

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.apache.eventmesh.state.StoreSettings;

/**
 * Prints what a fenced conditional write costs through the state stores and as the same transaction through plain jetcd:
 * the time of single writes, in blocks that alternate, and writes a second with many outstanding. Both sides use one
 * server, so the ratios mean more than the figures.
 */
public final class EtcdBench {
    /** As long as those of {@link PlainWrites}, so that all keys are of the same length. */
    private static final String STORES = "/state/";

    private static final int OUTSTANDING = 64;
    private static final int BLOCK_MILLIS = 250;

    private EtcdBench() {}

    /** Arguments: host and port of a server, seconds of one measurement, rounds. */
    public static void main(String[] args) throws Exception {
        String endpoint = args[0];
        int millis = 1_000 * (args.length > 1 ? Integer.parseInt(args[1]) : 5);
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        try (StoreWrites stores = StoreWrites.open(StoreSettings.of("etcd://" + endpoint + STORES), OUTSTANDING);
                PlainWrites same = PlainWrites.open(endpoint, STORES, OUTSTANDING, true);
                PlainWrites bare = PlainWrites.open(endpoint, STORES, OUTSTANDING, false)) {
            System.out.printf(
                    "a write: two comparisons and one put; %d rounds of %d ms each%n"
                            + "same: the same transaction by plain jetcd; bare: without its commit slot%n%n",
                    rounds, millis);
            List<FencedWrites> sides = List.of(stores, same, bare);
            // first, so that what is timed one by one then is compiled
            throughput(sides, millis, rounds);
            latency(sides, millis, rounds);
        }
    }

    private static void latency(List<FencedWrites> sides, int millis, int rounds)
            throws ExecutionException, InterruptedException {
        System.out.printf("%nmicroseconds of a write, one outstanding%n");
        heading("p50 of stores", "of same", "of bare");
        for (int round = 0; round <= rounds; round++) {
            List<Latency> times = sides.stream().map(side -> new Latency()).toList();
            // short blocks, so that what else the machine does meets all
            for (int block = 0; block < millis / BLOCK_MILLIS; block++) {
                for (int side = 0; side < sides.size(); side++) {
                    times.get(side).measure(sides.get(side), BLOCK_MILLIS);
                }
            }
            double[] medians =
                    times.stream().mapToDouble(time -> time.percentile(50)).toArray();
            line(round, medians);
        }
    }

    private static void throughput(List<FencedWrites> sides, int millis, int rounds) throws InterruptedException {
        System.out.printf(
                "writes a second, %d outstanding; jetcd sends each as a transaction of its own%n", OUTSTANDING);
        heading("stores", "same", "bare");
        for (int round = 0; round <= rounds; round++) {
            double[] rates = new double[sides.size()];
            for (int side = 0; side < sides.size(); side++) {
                rates[side] = Throughput.measure(sides.get(side), OUTSTANDING, millis);
            }
            line(round, rates);
        }
    }

    private static void heading(String stores, String same, String bare) {
        System.out.printf("%8s %14s %12s %12s %10s %10s%n", "round", stores, same, bare, "to same", "to bare");
    }

    private static void line(int round, double[] figures) {
        System.out.printf(
                Locale.ROOT,
                "%8s %14.0f %12.0f %12.0f %10.2f %10.2f%n",
                name(round),
                figures[0],
                figures[1],
                figures[2],
                figures[0] / figures[1],
                figures[0] / figures[2]);
    }

    /** The first one warms up. */
    private static String name(int round) {
        return round == 0 ? "warm-up" : String.valueOf(round);
    }
}
