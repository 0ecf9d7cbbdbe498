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

import java.io.PrintStream;
import java.util.List;

/** The table that a person reads at the end. */
record Report(int events, int malformed, Ledger ledger) {
    private static final int SHOWN = 10;

    /** Whether every promise was kept. */
    boolean good() {
        return ledger.finished()
                && ledger.lost().isEmpty()
                && ledger.settledTwice() == 0
                && ledger.ahead() == 0
                && ledger.early() == 0
                && ledger.forgotten() == 0;
    }

    void print(PrintStream out) {
        out.println();
        row(out, "events in", events);
        row(out, "malformed lines skipped", malformed);
        row(out, "deliveries (events x subscribers)", ledger.size());
        row(out, "settled", ledger.settled());
        row(out, "  of these dead-lettered", ledger.deadLettered());
        row(out, "redelivered", ledger.redelivered());
        row(out, "lost", ledger.lost().size());
        row(out, "settled twice", ledger.settledTwice());
        row(out, "positions ahead of settlements", ledger.ahead());
        row(out, "broker acknowledgements early", ledger.early());
        row(out, "broker acknowledgements forgotten", ledger.forgotten());
        out.println();
        list(out, "lost", ledger.lost());
        list(out, "fault", ledger.faults());
        out.println(
                good()
                        ? "OK: the dispatcher was killed in the middle, and every promise was kept."
                        : "FAILED: a promise was broken; see above.");
    }

    private static void row(PrintStream out, String what, int count) {
        out.printf("  %-36s %8d%n", what, count);
    }

    private static void list(PrintStream out, String what, List<?> items) {
        items.stream().limit(SHOWN).forEach(item -> out.println(what + ": " + item));
        if (items.size() > SHOWN) {
            out.println("... and " + (items.size() - SHOWN) + " more");
        }
    }
}
