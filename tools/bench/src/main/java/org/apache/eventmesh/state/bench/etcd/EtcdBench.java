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

import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.apache.eventmesh.state.StoreSettings;

/**
 * Prints what a fenced conditional write costs through the state stores and as the same transaction through plain jetcd:
 * the time of single writes, in blocks that alternate, and writes a second with many outstanding. Both sides use one
 * server, so the ratios mean more than the figures.
 */
public final class EtcdBench {
    /** As long as {@link PlainWrites#PREFIX}, so that all keys are of the same length. */
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
                PlainWrites plain = PlainWrites.open(endpoint, STORES, OUTSTANDING)) {
            System.out.printf("a write: two comparisons and one put; %d rounds of %d ms each%n%n", rounds, millis);
            // first, so that what is timed one by one then is compiled
            throughput(stores, plain, millis, rounds);
            latency(stores, plain, millis, rounds);
        }
    }

    private static void latency(FencedWrites stores, FencedWrites plain, int millis, int rounds)
            throws ExecutionException, InterruptedException {
        System.out.printf("%nmicroseconds of a write, one outstanding%n");
        System.out.printf(
                "%8s %12s %12s %12s %12s %8s%n",
                "round", "stores p50", "jetcd p50", "stores p99", "jetcd p99", "ratio p50");
        for (int round = 0; round <= rounds; round++) {
            Latency ours = new Latency();
            Latency theirs = new Latency();
            // short blocks, so that what else the machine does meets both
            for (int block = 0; block < millis / BLOCK_MILLIS; block++) {
                ours.measure(stores, BLOCK_MILLIS);
                theirs.measure(plain, BLOCK_MILLIS);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%8s %12.0f %12.0f %12.0f %12.0f %8.2f%n",
                    name(round),
                    ours.percentile(50),
                    theirs.percentile(50),
                    ours.percentile(99),
                    theirs.percentile(99),
                    ours.percentile(50) / theirs.percentile(50));
        }
    }

    private static void throughput(FencedWrites stores, FencedWrites plain, int millis, int rounds)
            throws InterruptedException {
        System.out.printf(
                "writes a second, %d outstanding; jetcd sends each as a transaction of its own%n", OUTSTANDING);
        System.out.printf("%8s %12s %12s %8s%n", "round", "stores", "jetcd", "ratio");
        for (int round = 0; round <= rounds; round++) {
            long ours = Throughput.measure(stores, OUTSTANDING, millis);
            long theirs = Throughput.measure(plain, OUTSTANDING, millis);
            System.out.printf(Locale.ROOT, "%8s %12d %12d %8.2f%n", name(round), ours, theirs, (double) ours / theirs);
        }
    }

    /** The first one warms up. */
    private static String name(int round) {
        return round == 0 ? "warm-up" : String.valueOf(round);
    }
}
