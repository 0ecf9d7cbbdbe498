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
package org.apache.eventmesh.state.core.shard;

import java.util.concurrent.CompletionException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailuresTest {
    private static final Token<Partition> TOKEN =
            new Token<>("map", new Partition("orders", 3), 1, new Holder("alice", "process"));

    @Test
    void required_G10_whoever_waits_for_a_shard_of_a_closed_set_is_told_that_it_is_closed() {
        StoreClosedException closed = new StoreClosedException("closed");
        assertThat(Failures.notValid(TOKEN, new CompletionException(closed))).isSameAs(closed);
    }

    @Test
    void required_X02_whoever_may_not_be_the_owner_any_more_is_told_that_the_store_is_unavailable() {
        assertThat(Failures.notValid(TOKEN, null))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("alice");
        assertThat(Failures.notValid(TOKEN, new CompletionException(new IllegalStateException("away"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("alice")
                .hasMessageContaining("away");
    }
}
