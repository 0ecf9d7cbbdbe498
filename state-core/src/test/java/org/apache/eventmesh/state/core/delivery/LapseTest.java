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

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.owner.Validity;
import org.apache.eventmesh.state.core.shard.TokenFate;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A shard whose member's lease has ended, by what this process knows. */
class LapseTest {
    private final SharedMap map = new SharedMap();
    private final Told told = new Told();
    private final Node node = new Node(map, fate -> new ToldFate(fate, told));

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void required_E04_what_came_after_a_renewal_does_not_fail_by_a_look_from_before_it() {
        Shard shard = node.claim();
        told.valid = false;
        afterTheClaim(shard);
        CompletionStage<Outcome<AdvanceResult>> early = advance(shard, 1);
        CompletableFuture<Validity.Answer> look = look();

        CompletionStage<Outcome<AdvanceResult>> late = advance(shard, 2);
        look.complete(new Validity.Answer.Ended());

        assertThatThrownBy(() -> Await.result(early).orThrow()).isInstanceOf(StoreUnavailableException.class);
        CompletableFuture<Validity.Answer> again = look();
        told.valid = true;
        again.complete(new Validity.Answer.Valid());
        assertThat(Await.result(late).orThrow()).isInstanceOf(AdvanceResult.Advanced.class);
    }

    /** The last turn of the claim may look, too. */
    private void afterTheClaim(Shard shard) {
        CompletableFuture<Outcome<AdvanceResult>> refused = advance(shard, 0).toCompletableFuture();
        Awaitility.await().until(() -> {
            told.looks.forEach(look -> look.complete(new Validity.Answer.Ended()));
            told.looks.removeIf(CompletableFuture::isDone);
            return refused.isDone();
        });
    }

    private CompletionStage<Outcome<AdvanceResult>> advance(Shard shard, long to) {
        return node.offsets().advance(shard, Map.of(BILLING, to)).thenApply(all -> all.get(BILLING));
    }

    private CompletableFuture<Validity.Answer> look() {
        Awaitility.await().until(() -> !told.looks.isEmpty());
        return told.looks.remove();
    }

    /** As the test says. */
    private static final class Told implements Validity {
        private final Queue<CompletableFuture<Answer>> looks = new ConcurrentLinkedQueue<>();
        private volatile boolean valid = true;

        @Override
        public boolean now() {
            return valid;
        }

        @Override
        public CompletionStage<Answer> look() {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            looks.add(answer);
            return answer;
        }
    }

    private record ToldFate(TokenFate fate, Validity told) implements TokenFate {
        @Override
        public CompletionStage<Fenced> lost(Token<Partition> token) {
            return fate.lost(token);
        }

        @Override
        public String incarnation() {
            return fate.incarnation();
        }

        @Override
        public Validity validity(Token<Partition> token) {
            return told;
        }

        @Override
        public void fenced(Operation operation, Token<Partition> token, Fenced why) {
            fate.fenced(operation, token, why);
        }
    }
}
