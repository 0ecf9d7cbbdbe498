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
package org.apache.eventmesh.state.subscription;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;

/** Who wants what. Writing is a method of the {@link OwnedClient} that a connection gives. All writes are synced. */
public interface SubscriptionStore {
    /**
     * The client is connected here now: claims it, from wherever it was. The former owner is fenced; registrations that
     * it made stay until they are replaced, removed, or its instance's lease ends. Durable; repeating it as the same
     * member gives the same token.
     */
    CompletionStage<OwnedClient> connect(Member member, ClientId client);

    /** The client of a token kept elsewhere. Claims nothing: under a stale token every write is fenced. */
    OwnedClient client(Token<ClientId> token);

    /** The local copy that dispatch reads: no network. */
    SubscriptionView view();

    /**
     * A consistent snapshot, then every later change in order without a gap; close it to stop.
     *
     * @param listener called in order on the callback executor; one that cannot keep up is resynchronised
     */
    SubscriptionWatch watch(SubscriptionListener listener);

    /** By topic: in order of client. By client: of topic. By instance: of client, then topic. */
    CompletionStage<Page<Subscription>> list(SubscriptionFilter filter, PageRequest page);

    /** All topics that somebody wants, ascending. */
    CompletionStage<Page<String>> topics(PageRequest page);
}
