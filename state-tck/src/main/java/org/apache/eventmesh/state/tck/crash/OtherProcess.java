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

import java.time.Duration;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** E06: two processes never own the same, whatever they are called. */
public interface OtherProcess extends Rules {
    @Test
    @Needs(Capability.DURABLE)
    @Lacks(Capability.MULTI_PROCESS)
    default void required_E06_a_second_process_is_refused_clearly_while_the_first_holds_the_place() {
        Place place = Place.of(kit().fixture(), Durability.DISK);
        try (StateStores stores = place.open();
                Child refused = Child.start(place, Scripts.Stay.class)) {
            Member member = get(stores.join("first", Duration.ofSeconds(30)));
            Shard shard = get(stores.deliveries().takeOver(member, Plan.LOG));

            refused.begin("none");
            String why = refused.await("refused ");

            assertThat(why)
                    .as("names the place")
                    .contains(
                            place.uri().substring(place.uri().indexOf(':') + 1).replaceFirst("^/+", "/"));
            assertThat(get(shard.completed(1))).as("the first works on").isEmpty();
        }
        try (Child second = Child.start(place, Scripts.Stay.class)) {
            second.begin("none");
            second.await("opened");
        }
    }
}
