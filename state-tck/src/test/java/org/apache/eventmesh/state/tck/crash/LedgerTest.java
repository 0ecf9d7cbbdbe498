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

import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a loss of power may take, and what may be found then. */
class LedgerTest {
    private static final String FIRST = "delivery/crash-log/1/billing";
    private static final String SECOND = "delivery/crash-pop/2/audit";
    private static final String TASK = "task/crash-tasks/0";

    private static Ledger told(Ledger ledger, String... lines) {
        for (String line : lines) {
            ledger.read(line.replace(';', '\t'));
        }
        return ledger;
    }

    private static Ledger oneAfterTheOther(Ledger ledger) {
        return told(
                ledger,
                "asked 1 many;" + FIRST + "=open 1 0 held",
                "promised 1;" + FIRST + "=open 1 0 held",
                "asked 2 many;" + SECOND + "=open 1 0 held",
                "promised 2;" + SECOND + "=open 1 0 held");
    }

    private static Prefix found(Map<String, Boolean> there) {
        return new Prefix((thing, value) -> Optional.ofNullable(there.get(thing)));
    }

    @Test
    void whatWasAnsweredIsSureAfterAKillAndAtDiskLevel() {
        for (Ledger ledger : new Ledger[] {Ledger.ofKills(), Ledger.ofPowerLosses(Durability.DISK)}) {
            oneAfterTheOther(ledger);
            assertThat(ledger.allowed(FIRST)).containsExactly("open 1 0 held");
            assertThat(ledger.late()).isEmpty();
        }
    }

    @Test
    void whatWasAnsweredAtProcessLevelMayBeLostUntilALaterCallWasSynced() {
        Ledger ledger = oneAfterTheOther(Ledger.ofPowerLosses(Durability.PROCESS));
        assertThat(ledger.allowed(FIRST)).containsExactlyInAnyOrder("open 1 0 held", Ledger.ABSENT);

        told(ledger, "asked 3 one;" + TASK + "=SUBMITTED", "asked 4 many;delivery/crash-log/9/audit=open 0 0 waiting");
        told(ledger, "promised 4;delivery/crash-log/9/audit=open 0 0 waiting", "promised 3;" + TASK + "=SUBMITTED");

        assertThat(ledger.allowed(FIRST)).containsExactly("open 1 0 held");
        assertThat(ledger.allowed(TASK)).containsExactly("SUBMITTED");
        assertThat(ledger.late()).as("promised after the synced call was asked").hasSize(1);
    }

    @Test
    void aDeadLetterIsForCertainAndWhatRepeatsSyncsNothing() {
        Ledger ledger = oneAfterTheOther(Ledger.ofPowerLosses(Durability.PROCESS));
        told(ledger, "asked 5 one;registration/client-0/topic-1=there");
        told(ledger, "promised 5;registration/client-0/topic-1=there");
        assertThat(ledger.late()).hasSize(2);

        told(ledger, "asked 6 one;" + FIRST + "=dead", "promised 6;" + FIRST + "=dead");
        assertThat(ledger.allowed(FIRST)).containsExactly(Ledger.DEAD);
        assertThat(ledger.late()).isEmpty();
    }

    @Test
    void theEndMayBeMissingButNothingBeforeWhatIsThere() {
        Ledger ledger = oneAfterTheOther(Ledger.ofPowerLosses(Durability.PROCESS));

        assertThat(found(Map.of(FIRST, true, SECOND, false)).check(ledger.late(), ledger.open()))
                .isEqualTo(1);
        assertThat(found(Map.of(FIRST, false, SECOND, false)).check(ledger.late(), ledger.open()))
                .isEqualTo(2);
        assertThatThrownBy(() -> found(Map.of(FIRST, false, SECOND, true)).check(ledger.late(), ledger.open()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("hole")
                .hasMessageContaining(FIRST)
                .hasMessageContaining(SECOND);
    }

    @Test
    void whatWasAskedForWithoutAnAnswerIsNotThereBehindALostAnswer() {
        Ledger ledger = oneAfterTheOther(Ledger.ofPowerLosses(Durability.PROCESS));
        told(ledger, "asked 7 one;" + TASK + "=SUBMITTED");

        assertThatThrownBy(() -> found(Map.of(SECOND, false, TASK, true)).check(ledger.late(), ledger.open()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(TASK);
        assertThat(found(Map.of(FIRST, true, TASK, true)).check(ledger.late(), ledger.open()))
                .isZero();
    }

    @Test
    void callsThatWereMadeAtOnceMayStandInAnyOrder() {
        Ledger ledger = told(
                Ledger.ofPowerLosses(Durability.PROCESS),
                "asked 1 many;" + FIRST + "=open 1 0 held",
                "asked 2 many;" + SECOND + "=open 1 0 held",
                "promised 1;" + FIRST + "=open 1 0 held",
                "promised 2;" + SECOND + "=open 1 0 held");

        assertThat(found(Map.of(FIRST, false, SECOND, true)).check(ledger.late(), ledger.open()))
                .isEqualTo(1);
    }

    @Test
    void whatIsAnsweredWhenThePowerHasGoneCountsForNothing() {
        String failed = "failed 1 one: its disk is gone";
        assertThatThrownBy(() -> told(Ledger.ofPowerLosses(Durability.DISK), failed))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(failed);

        Ledger ledger = told(
                Ledger.ofPowerLosses(Durability.DISK),
                "asked 1 one;" + FIRST + "=open 1 0 held",
                "late asked 2 one;" + SECOND + "=open 1 0 held",
                "late promised 1;" + FIRST + "=open 1 0 held",
                "late epoch crash-log 7",
                "late watermark 7",
                "late wrong: one of many failed",
                "late " + failed);
        assertThat(ledger.allowed(FIRST)).containsExactlyInAnyOrder("open 1 0 held", Ledger.ABSENT);
        assertThat(ledger.allowed(SECOND)).containsExactlyInAnyOrder("open 1 0 held", Ledger.ABSENT);
        assertThat(ledger.watermark()).isEqualTo(-1);
        ledger.epoch("crash-log", 7);
    }
}
