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
package org.apache.eventmesh.state.dispatcher;

import java.util.stream.Stream;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Unreadable;

/** A partition that is served here: what its feed gives and what is due again goes to the clients. */
final class Lane {
    private final Shard shard;
    private final Feed feed;
    private final Audience audience;
    private final Transport transport;
    private final DispatcherSettings settings;
    private final Trouble trouble;
    private final Attempt attempt;

    Lane(Shard shard, Feed feed, Audience audience, Transport transport, DispatcherSettings settings, Trouble trouble) {
        this.shard = shard;
        this.feed = feed;
        this.audience = audience;
        this.transport = transport;
        this.settings = settings;
        this.trouble = trouble;
        this.attempt = new Attempt(trouble);
    }

    Shard shard() {
        return shard;
    }

    /** Older deliveries before newer messages, and what is done before both. One thread at a time. */
    synchronized void round() {
        String name = shard.token().scope().toString();
        attempt.to("acknowledging what is done of " + name, feed::acknowledge);
        attempt.to("handing out what is due of " + name, this::handOutDue);
        attempt.to("reading " + name, () -> push(feed.read()));
    }

    private void handOutDue() {
        HandOutResult result = Await.result(shard.handOut(settings.most(), settings.hold(), audience::pick));
        if (result instanceof HandOutResult.HandedOut done) {
            done.unreadable().forEach(this::tell);
        }
        push(result.handOuts().stream());
    }

    /** It stays open, and holds back its subscriber's position, until a person discards it. */
    private void tell(Unreadable record) {
        trouble.in("handing out " + record.key(), new IllegalStateException(record.why()));
    }

    private void push(Stream<HandOut> handOuts) {
        handOuts.forEach(handOut -> attempt.to("pushing to " + handOut.receiver(), () -> transport.push(handOut)));
    }

    /** Pushed beside the rounds: the first hand-out of a task. */
    void pushNow(HandOut handOut) {
        push(Stream.of(handOut));
    }
}
