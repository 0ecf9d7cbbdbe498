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
package org.apache.eventmesh.state.tck.crash;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Says each call before it is made and each promise when it is there; bounds how many are outstanding. */
final class Promises {
    private static final int OUTSTANDING = 64;

    private final Semaphore free = new Semaphore(OUTSTANDING);
    private final AtomicLong numbers = new AtomicLong();

    /** Waits until there is room for one more call. */
    void awaitRoom() {
        free.acquireUninterruptibly();
        free.release();
    }

    /** A call that is applied as one, or not at all. */
    <T> void one(
            Map<String, String> asked, Supplier<CompletionStage<T>> call, Function<T, Map<String, String>> promised) {
        make("one" + tabbed(asked), call, promised);
    }

    /** A call whose things are each applied, or not. */
    <T> void many(
            Map<String, String> asked, Supplier<CompletionStage<T>> call, Function<T, Map<String, String>> promised) {
        make("many" + tabbed(asked), call, promised);
    }

    /** A call that hands out whatever is due. */
    <T> void handOut(String topic, Supplier<CompletionStage<T>> call, Function<T, Map<String, String>> promised) {
        make("handout " + topic, call, promised);
    }

    private <T> void make(String what, Supplier<CompletionStage<T>> call, Function<T, Map<String, String>> promised) {
        free.acquireUninterruptibly();
        long number = numbers.incrementAndGet();
        Life.say("asked " + number + " " + what);
        CompletionStage<?> unused = call.get().whenComplete((answer, failure) -> {
            free.release();
            if (failure != null) {
                Life.say("failed " + number + " " + what + ": " + failure);
                return;
            }
            try {
                Life.say("promised " + number + tabbed(promised.apply(answer)));
            } catch (RuntimeException e) {
                Life.say("wrong: " + what + " was answered " + answer + ": " + e);
            }
        });
    }

    private static String tabbed(Map<String, String> things) {
        StringBuilder text = new StringBuilder();
        things.forEach(
                (thing, value) -> text.append('\t').append(thing).append('=').append(value));
        return text.toString();
    }
}
