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
package org.apache.eventmesh.state.tck.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What must be true of recorded calls. */
final class Judgement {
    private static final Logger LOG = LoggerFactory.getLogger(Judgement.class);

    private Judgement() {}

    /**
     * There is an order of the calls about a thing in which every answer makes sense.
     *
     * @param thing as messages name it
     */
    static <S, I> void linearizable(String thing, Spec<S, I, Object> spec, Collection<Call<I, Object>> calls) {
        Optional<Counterexample<I, Object>> found = Counterexample.of(spec, calls);
        if (found.isPresent()) {
            LOG.debug("all calls about {}:\n{}", thing, CallTable.of(inOrder(calls)));
            throw new AssertionError("no order of the calls about " + thing + " explains their answers:\n"
                    + found.get().table());
        }
    }

    private static <I> List<Call<I, Object>> inOrder(Collection<Call<I, Object>> calls) {
        return calls.stream().sorted(Comparator.comparingLong(Call::started)).toList();
    }

    /** E01, looked at without a search: later claims of a scope have greater epochs, and no two holders have one. */
    static <I> void epochsRise(String scope, Collection<Call<I, Object>> calls) {
        Map<Long, Holder> holders = new HashMap<>();
        List<Call<I, Object>> claims = new ArrayList<>();
        for (Call<I, Object> call : calls) {
            if (call.input() instanceof OwnerInput.Claim && token(call).isPresent()) {
                claims.add(call);
            }
        }
        claims.sort(Comparator.comparingLong(Call::started));
        for (Call<I, Object> later : claims) {
            Token<?> token = token(later).orElseThrow();
            Holder before = holders.putIfAbsent(token.epoch(), token.holder());
            if (before != null && !before.equals(token.holder())) {
                throw new AssertionError(scope + " was given under epoch " + token.epoch() + " to " + before
                        + " and to " + token.holder());
            }
            for (Call<I, Object> earlier : claims) {
                Token<?> old = token(earlier).orElseThrow();
                boolean rose = token.holder().equals(old.holder())
                        ? token.epoch() >= old.epoch()
                        : token.epoch() > old.epoch();
                if (earlier.ended() < later.started() && !rose) {
                    throw new AssertionError(
                            "the epoch of " + scope + " fell:\n" + CallTable.of(List.of(earlier, later)));
                }
            }
        }
    }

    private static <I> Optional<Token<?>> token(Call<I, Object> call) {
        return call.output().filter(Token.class::isInstance).map(told -> (Token<?>) told);
    }
}
