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
package org.apache.eventmesh.state.core.subscription;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.SubscriptionRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.value.Bytes;

/** The rule of a registration: it stands under the lease of the member that the client is connected to. */
final class Registration {
    /** What one look or commit says. */
    enum Answer {
        CHANGED,
        AS_IT_WAS,
        /** The member's lease has ended: renew it, then try again. */
        LAPSED
    }

    private final Token<ClientId> client;
    private final Interest interest;
    private final long now;
    private final SubscriptionKey key;
    private final Bytes memberKey;

    Registration(Token<ClientId> client, Interest interest, long now) {
        this.client = client;
        this.interest = interest;
        this.now = now;
        this.key = new SubscriptionKey(interest.topic(), client.scope());
        this.memberKey = OwnerKeys.member(client.holder().process());
    }

    List<Bytes> keys() {
        return List.of(memberKey, key.bytes());
    }

    Decision<Object> decide(Held<ClientId> held, Seen seen) {
        OptionalLong lease = lease(seen);
        if (lease.isEmpty()) {
            return Decision.answer(Answer.LAPSED);
        }
        Optional<SubscriptionRecord> before = SubscriptionRecords.readable(seen.entry(key.bytes()));
        SubscriptionRecord after = SubscriptionRecords.record(before, interest, client, now);
        if (before.isPresent() && before.get().equals(after)) {
            return Decision.answer(Answer.AS_IT_WAS);
        }
        Draft draft = new Draft()
                .condition(held.fence())
                .condition(seen.unchanged(memberKey))
                .condition(seen.unchanged(key.bytes()));
        before.ifPresent(record -> draft.change(Change.delete(key.byInstance(record.getInstance()))));
        put(draft, key.bytes(), Records.SUBSCRIPTION.encode(after), lease.getAsLong());
        put(draft, key.byClient(), Records.NOTHING, lease.getAsLong());
        put(draft, key.byInstance(after.getInstance()), Records.NOTHING, lease.getAsLong());
        return draft.write(Answer.CHANGED);
    }

    private OptionalLong lease(Seen seen) {
        return seen.get(Records.MEMBER, memberKey).stream()
                .mapToLong(member -> member.record().getLeaseId())
                .filter(id -> !seen.leaseEnded(id))
                .findAny();
    }

    private static void put(Draft draft, Bytes key, Bytes value, long lease) {
        draft.change(Change.put(key, value, lease));
    }
}
