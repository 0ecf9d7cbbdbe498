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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.owner.Token;

/**
 * The calls of a run, by the thing that each is about. A call that is about several things is one call for each of them,
 * with the same beginning and end. Safe for any number of threads.
 *
 * @param <K> names a thing
 */
public final class Recorder<K, I, O> {
    private final AtomicLong time = new AtomicLong();
    private final Map<K, ConcurrentLinkedQueue<Call<I, O>>> calls = new ConcurrentHashMap<>();

    /** One that is about to be made. */
    public Begun begin(String caller) {
        return new Begun(caller, time.incrementAndGet());
    }

    /** The calls about one thing so far, in no particular order. */
    public List<Call<I, O>> about(K thing) {
        return List.copyOf(calls.getOrDefault(thing, new ConcurrentLinkedQueue<>()));
    }

    /** The things that calls were about. */
    public List<K> things() {
        return new ArrayList<>(calls.keySet());
    }

    /** What was recorded, each call once for each thing that it is about. */
    Tally tally() {
        return calls.values().stream()
                .map(about -> new Tally(
                        about.size(),
                        about.stream().filter(call -> !call.known()).count(),
                        takeovers(about)))
                .reduce(Tally.NONE, Tally::plus);
    }

    /** Epochs of claims that were answered, but for the first. */
    private static long takeovers(Collection<? extends Call<?, ?>> about) {
        long epochs = about.stream()
                .filter(call -> call.input() instanceof OwnerInput.Claim)
                .flatMap(call -> call.output().stream())
                .filter(Token.class::isInstance)
                .map(token -> ((Token<?>) token).epoch())
                .distinct()
                .count();
        return Math.max(0, epochs - 1);
    }

    /** A call that was made. For the thread that made it. */
    public final class Begun {
        private final String caller;
        private final long started;
        private long ended;

        private Begun(String caller, long started) {
            this.caller = caller;
            this.started = started;
        }

        /** It has ended, before anything is done with its answer. */
        public Begun ended() {
            ended = time.incrementAndGet();
            return this;
        }

        /** What it answered about a thing. */
        public void answered(K thing, I input, O output) {
            if (ended == 0) {
                throw new IllegalStateException("the call has not ended: say so before you say what it answered");
            }
            add(thing, new Call<>(caller, input, started, ended, Optional.of(output)));
        }

        /** Nobody knows what became of it, and it may still take effect. */
        public void unknown(K thing, I input) {
            add(thing, new Call<>(caller, input, started, Call.NEVER, Optional.empty()));
        }

        /** What became of it for a thing: nothing is kept of what was certainly not applied. */
        void told(K thing, I input, Answer<? extends O> answer) {
            if (answer.value().isPresent()) {
                answered(thing, input, answer.value().get());
            } else if (answer.lost()) {
                unknown(thing, input);
            }
        }

        private void add(K thing, Call<I, O> call) {
            calls.computeIfAbsent(thing, first -> new ConcurrentLinkedQueue<>()).add(call);
        }
    }
}
