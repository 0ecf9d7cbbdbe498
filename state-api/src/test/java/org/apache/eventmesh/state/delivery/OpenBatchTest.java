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
package org.apache.eventmesh.state.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OpenBatchTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Subscriber READER = Subscriber.group("g");

    @Test
    void a_range_is_read_upwards_once_and_within_its_bounds() {
        assertThat(range(0, 3, message(0), message(2)).messages()).hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> range(0, 3, message(3)))
                .withMessage("offset 3 is not within 0 to 3, ascending");
        assertThatIllegalArgumentException().isThrownBy(() -> range(0, 3, message(1), message(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> range(0, 3, message(2), message(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> range(5, 3))
                .withMessage("range from 5 to 3 is backwards");
    }

    @Test
    void every_target_of_a_range_is_one_of_its_readers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> range(0, 3, message(0).to(Subscriber.group("other"))))
                .withMessageStartingWith("offset 0 has a target that is not a reader");
    }

    @Test
    void an_unordered_poll_names_each_offset_once() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenBatch.unordered(List.of(message(9), message(9)), LEASE))
                .withMessage("offset 9 appears twice");
    }

    @Test
    void required_G06_what_the_caller_does_to_its_list_later_changes_nothing() {
        List<Incoming> mine = new ArrayList<>(List.of(message(0)));
        OpenBatch batch = OpenBatch.unordered(mine, LEASE);
        mine.clear();
        assertThat(batch.messages()).hasSize(1);
    }

    private static OpenBatch range(long from, long to, Incoming... messages) {
        return OpenBatch.range("g1", from, to, List.of(READER), List.of(messages), LEASE);
    }

    private static Incoming message(long offset) {
        return Incoming.of(offset, Bytes.utf8("m"), Attributes.NONE);
    }
}
