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
package org.apache.eventmesh.state.core.delivery;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.AUDIT;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Open deliveries, found and listed while they are settled, and beside what cannot be read. */
class DeliveryListingTest {
    private static final DeliveryFilter HERE = DeliveryFilter.of(Node.PARTITION);

    private final SharedMap map = new SharedMap();
    private final Node node = new Node(map);
    private final Shard shard = node.claim();
    private HandOut alices;
    private HandOut bobs;

    @BeforeEach
    void open() {
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.range(
                0,
                3,
                Set.of(BILLING, AUDIT),
                Polls.message(0).to(BILLING, ALICE),
                Polls.message(1).to(BILLING, BOB),
                Polls.message(2).to(AUDIT)))));
        alices = pushed.get(0);
        bobs = pushed.get(1);
    }

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    private Page<Delivery> list(DeliveryFilter filter) {
        return Await.result(node.deliveries().list(filter, PageRequest.first(10)));
    }

    private List<Long> offsets(DeliveryFilter filter) {
        Page<Delivery> page = list(filter);
        assertThat(page.unreadable()).isEmpty();
        return page.items().stream().map(Delivery::offset).toList();
    }

    private List<Entry> under(Table table) {
        return Await.result(map.map().scan(KeyWriter.of(table).under(), 100)).entries();
    }

    /** Settles what alice has when the payloads are about to be read. */
    private void settleBeforeTheNextRead() {
        map.map().beforeRead(() -> {
            map.map().beforeRead(() -> {});
            Await.result(shard.ack(Ack.of(alices.receipt(), ALICE.client())));
        });
    }

    @Test
    void a_filter_names_partition_subscriber_and_holder() {
        assertThat(offsets(DeliveryFilter.all())).containsExactly(0L, 1L, 2L);
        assertThat(offsets(HERE)).containsExactly(0L, 1L, 2L);
        assertThat(offsets(DeliveryFilter.of(new Partition("orders", 4)))).isEmpty();
        assertThat(offsets(HERE.of(BILLING))).containsExactly(0L, 1L);
        assertThat(offsets(HERE.of(AUDIT))).containsExactly(2L);
        assertThat(offsets(HERE.heldBy(BOB.client()))).containsExactly(1L);
        assertThat(offsets(HERE.of(AUDIT).heldBy(BOB.client()))).isEmpty();
        assertThat(list(HERE.of(BILLING)).items()).contains(alices.delivery(), bobs.delivery());
    }

    @Test
    void a_payload_that_is_missing_is_named_beside_the_others() {
        Bytes message = under(Table.MESSAGE).get(0).key();
        map.map().delete(message);
        Page<Delivery> page = list(HERE);
        assertThat(page.items()).extracting(Delivery::offset).containsExactly(1L, 2L);
        assertThat(page.unreadable())
                .singleElement()
                .extracting(Unreadable::why)
                .asString()
                .contains("missing");
        // nobody reads it for those who do not ask for its delivery
        assertThat(offsets(HERE.of(AUDIT))).containsExactly(2L);
        assertThatThrownBy(() -> node.find(alices.delivery()))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("MESSAGE")
                .hasMessageContaining("missing");
    }

    @Test
    void a_record_that_is_damaged_is_named_beside_the_others() {
        map.map().put(under(Table.DELIVERY).get(0).key(), Bytes.of((byte) 1, (byte) 2));
        Page<Delivery> page = list(HERE);
        assertThat(page.items()).extracting(Delivery::offset).containsExactly(1L, 2L);
        assertThat(page.unreadable())
                .singleElement()
                .extracting(Unreadable::key)
                .asString()
                .contains("DELIVERY");
    }

    @Test
    void required_G08_what_is_settled_while_a_page_is_read_is_no_damage() {
        settleBeforeTheNextRead();
        assertThat(offsets(HERE)).containsExactly(1L, 2L);
    }

    @Test
    void required_G08_what_is_settled_while_it_is_looked_up_is_not_there() {
        settleBeforeTheNextRead();
        assertThat(node.find(alices.delivery())).isEmpty();
    }

    @Test
    void a_delivery_is_found_by_all_of_its_id() {
        DeliveryId id = alices.delivery().id();
        assertThat(node.find(alices.delivery())).contains(alices.delivery());
        assertThat(find(new DeliveryId(id.partition(), "another life", id.number())))
                .isEmpty();
        assertThat(find(new DeliveryId(new Partition("orders", 4), id.incarnation(), id.number())))
                .isEmpty();
        assertThat(find(new DeliveryId(id.partition(), id.incarnation(), id.number() + 1_000)))
                .isEmpty();
    }

    private Optional<Delivery> find(DeliveryId id) {
        return Await.result(node.deliveries().find(id));
    }
}
