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

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;

/**
 * What was handed out and is not settled. Reads are here, for anyone; every write needs the partition and is a method
 * of the {@link Shard} that a claim gives.
 *
 * <p>The life of a delivery: {@link Shard#open} makes it durable and may hand it out; {@link Shard#ack} settles it;
 * {@link Shard#nack} makes it due again, or a dead letter; {@link Shard#handOut} gives what is due to receivers. After
 * any crash the claim of the partition finds every open delivery again.
 *
 * <p>In a store set over two backends deliveries are private to the host of the shard's owner: reads see those of this host,
 * and a claim on a host that was not the last owner begins at the published positions, where what was open is read from the
 * broker again.
 */
public interface DeliveryStateStore {
    /**
     * Claims a partition and loads its open deliveries. Durable before the stage completes; repeating it as the same
     * member gives the same token.
     */
    CompletionStage<ClaimResult<Shard>> claim(Member member, Partition partition);

    /** Claims it even while another's lease lives; the former owner is fenced from that commit on. Durable. */
    CompletionStage<Shard> takeOver(Member member, Partition partition);

    /**
     * The shard of a token kept elsewhere. Claims nothing: under a stale token every write answers
     * {@link org.apache.eventmesh.state.owner.Fenced}.
     */
    Shard shard(Token<Partition> token);

    /**
     * One open delivery, wherever it is owned; empty when it is settled or was never opened.
     *
     * <p>Fails with {@code CorruptStateException} when its record cannot be decoded.
     */
    CompletionStage<Optional<Delivery>> find(DeliveryId id);

    /** Open deliveries; records that cannot be decoded are named in the page. */
    CompletionStage<Page<Delivery>> list(DeliveryFilter filter, PageRequest page);
}
