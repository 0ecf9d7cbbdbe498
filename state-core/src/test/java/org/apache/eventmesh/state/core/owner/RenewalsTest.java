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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class RenewalsTest extends TwoInstances {
    private static final List<Error> ERRORS =
            List.of(new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose"));

    @Test
    void required_E04_after_errors_of_the_engine_the_lease_is_renewed_again() {
        a.claimed(alice, ORDERS);
        a.engine().leasesThrow(ERRORS);
        map.pass(Instance.LEASE.dividedBy(3).plusMillis(20));
        for (int error = 1; error <= ERRORS.size(); error++) {
            int thrown = error;
            await().until(() -> a.engine().leaseErrors() == thrown);
            map.pass(Instance.LEASE.dividedBy(12).plusMillis(20));
        }

        await().until(() -> left().compareTo(Instance.LEASE.minusSeconds(1)) > 0);
        assertThat(b.claim(bob, ORDERS)).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED);
    }

    @Test
    void required_G02_a_renewal_that_met_an_error_is_a_failure_and_the_next_one_renews() {
        a.engine().leasesThrow(ERRORS);

        for (Error error : ERRORS) {
            CompletionStage<Renewal> renewal = alice.renew();
            assertThatThrownBy(() -> Await.result(renewal)).isSameAs(error);
        }
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED);
    }

    @Test
    void required_E04_after_errors_a_member_whose_lease_ended_gets_another() {
        a.claimed(alice, ORDERS);
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        a.wake();
        a.engine().leasesThrow(ERRORS);
        for (int error = 1; error <= ERRORS.size(); error++) {
            int thrown = error;
            await().until(() -> a.engine().leaseErrors() == thrown);
            map.pass(Instance.LEASE.dividedBy(12).plusMillis(20));
        }

        await().until(alice::live);
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
    }

    @Test
    void required_E04_a_lapse_whose_answer_came_too_late_is_told_by_the_next_renewal() {
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        a.engine().holdLeases();
        a.wake();
        CompletionStage<Renewal> late = alice.renew();
        await().until(() -> a.engine().holding() == 1);
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(late)).isInstanceOf(OutcomeUnknownException.class);
        a.engine().release();
        await().until(alice::live);
        // whoever was late has been dealt with when this is done
        Await.result(a.mesh().members().renew(alice.holder()));
        Await.result(a.mesh().members().renew(alice.holder()));

        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED);
    }

    private Duration left() {
        return Await.result(b.mesh().reading().owner(ORDERS)).orElseThrow().remaining();
    }
}
