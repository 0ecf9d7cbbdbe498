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
import java.util.Optional;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Whether a process may go on under a token, by what it knows itself. */
class LeaseValidityTest extends TwoInstances {
    private final Token<Partition> token = a.claimed(alice, ORDERS).token();
    private final Validity own = a.mesh().claims().validity(token);
    private final Validity elsewhere = b.mesh().claims().validity(token);

    @Test
    void it_is_valid_when_the_ownership_was_seen() {
        assertThat(own.now()).isFalse();
        assertThat(look(own)).isEqualTo(new Validity.Answer.Valid());
        assertThat(own.now()).isTrue();
    }

    @Test
    void required_X02_it_ends_with_the_lease_by_the_local_clock_and_a_new_lease_is_looked_at_first() {
        look(own);
        a.engine().leasesThrow(List.of(new OutOfMemoryError("on purpose")));
        map.pass(Instance.LEASE.minusMillis(1));
        assertThat(own.now()).isTrue();
        map.pass(Duration.ofMillis(2));
        assertThat(own.now()).isFalse();
        assertThat(look(own)).isEqualTo(new Validity.Answer.Ended());
        await().until(() -> a.engine().leaseErrors() == 1);

        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
        assertThat(own.now()).isFalse();
        assertThat(look(own)).isEqualTo(new Validity.Answer.Valid());
        assertThat(own.now()).isTrue();
    }

    @Test
    void whoever_looks_sees_that_another_has_taken_over() {
        look(own);
        Token<Partition> current = b.takeOver(bob, ORDERS).token();
        Fenced fenced = new Fenced(Optional.of(new Fenced.Current(current.epoch(), bob.holder())));
        assertThat(look(own)).isEqualTo(new Validity.Answer.Past(fenced));
        assertThat(look(elsewhere)).isEqualTo(new Validity.Answer.Past(fenced));
    }

    @Test
    void required_X02_of_a_member_of_another_store_set_it_ends_with_the_lease_also_where_what_is_left_is_rounded_up() {
        b.engine().roundLeasesUp();
        map.pass(Duration.ofMillis(500));
        assertThat(look(elsewhere)).isEqualTo(new Validity.Answer.Valid());
        assertThat(elsewhere.now()).isTrue();

        map.pass(Instance.LEASE.minusMillis(500));

        assertThat(elsewhere.now()).isFalse();
    }

    @Test
    void of_a_member_of_another_store_set_it_is_valid_for_what_was_left_of_the_lease_but_its_rounding() {
        assertThat(elsewhere.now()).isFalse();
        assertThat(look(elsewhere)).isEqualTo(new Validity.Answer.Valid());
        assertThat(elsewhere.now()).isTrue();
        map.pass(Instance.LEASE.minus(Engine.LEASE_ROUNDING).minusMillis(1));
        assertThat(elsewhere.now()).isTrue();
        map.pass(Duration.ofMillis(1));
        assertThat(elsewhere.now()).isFalse();
        // its own process has renewed it, as only that can
        await().until(() -> look(elsewhere).equals(new Validity.Answer.Valid()));
        assertThat(elsewhere.now()).isTrue();
    }

    @Test
    void of_a_member_that_is_gone_it_has_ended() {
        look(elsewhere);
        a.close();
        assertThat(look(elsewhere)).isEqualTo(new Validity.Answer.Ended());
    }

    @Test
    void required_G10_of_a_set_that_closes_nothing_is_valid_and_whoever_looks_is_told_why() {
        look(own);
        a.mesh().close(Instance.DEADLINE);
        for (int i = 0; i < 2; i++) {
            assertThat(own.now()).isFalse();
            assertThatThrownBy(() -> look(own)).isInstanceOf(StoreClosedException.class);
        }
    }

    private static Validity.Answer look(Validity validity) {
        return Await.result(validity.look());
    }
}
