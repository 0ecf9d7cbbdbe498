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
package org.apache.eventmesh.state.tck.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.tck.kit.Stages;

/**
 * One operation of a store on a {@link Scene}.
 *
 * @param call with the same arguments each time, so that calling again is repeating
 */
record Operation(String name, Kind kind, Function<Scene, CompletionStage<?>> call) {
    /** What an operation needs. */
    enum Kind {
        /** Changes nothing. */
        READ,
        /** A write under a token: fenced when another owns. */
        OWNED,
        /** A write without a token. */
        FREE
    }

    static Stream<Operation> all() {
        return Stream.of(ReadOperations.ALL, OwnedOperations.ALL, FreeOperations.ALL)
                .flatMap(List::stream);
    }

    static Operation named(String name) {
        return all().filter(operation -> operation.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Stream<Operation> reads() {
        return ReadOperations.ALL.stream();
    }

    static Stream<Operation> owned() {
        return OwnedOperations.ALL.stream();
    }

    static Stream<Operation> free() {
        return FreeOperations.ALL.stream();
    }

    /** Names of the writes that a repeat can be compared with: joining makes another member, a hand-out gives others. */
    static Stream<String> repeatable() {
        return Stream.concat(owned(), free())
                .map(Operation::name)
                .filter(name -> !List.of("join", "shard.handOut").contains(name));
    }

    /** Names of the writes that need a token. */
    static Stream<String> needsToken() {
        return owned().map(Operation::name);
    }

    static Operation read(String name, Function<Scene, CompletionStage<?>> call) {
        return new Operation(name, Kind.READ, call);
    }

    static Operation owned(String name, Function<Scene, CompletionStage<?>> call) {
        return new Operation(name, Kind.OWNED, call);
    }

    static Operation free(String name, Function<Scene, CompletionStage<?>> call) {
        return new Operation(name, Kind.FREE, call);
    }

    CompletionStage<?> on(Scene scene) {
        return call.apply(scene);
    }

    /**
     * Each single answer of the call: decisions of the store, and failures as the exceptions that they are. A batch has
     * one for each of its elements, everything else has one.
     */
    static List<Object> answers(CompletionStage<?> stage) {
        Object value;
        try {
            value = Stages.get(stage);
        } catch (StateStoreException failure) {
            return List.of(failure);
        }
        return each(value).map(Operation::single).toList();
    }

    private static Stream<?> each(Object value) {
        if (value instanceof OpenReport report) {
            return Stream.concat(report.deliveries().stream(), report.readers().values().stream());
        }
        if (value instanceof Map<?, ?> outcomes) {
            return outcomes.values().stream();
        }
        boolean batch = value instanceof List<?> list && list.stream().anyMatch(Outcome.class::isInstance);
        return batch ? ((List<?>) value).stream() : Stream.of(value);
    }

    private static Object single(Object answer) {
        if (answer instanceof Outcome.Done<?> done) {
            return done.result();
        }
        return answer instanceof Outcome.Failed<?> failed ? failed.failure() : answer;
    }

    /** The answer for one key of a batch. */
    static <K, R> R answer(Map<K, Outcome<R>> outcomes, K key) {
        Outcome<R> outcome = outcomes.get(key);
        if (outcome == null) {
            throw new AssertionError("no answer for " + key + " among those for " + outcomes.keySet());
        }
        return outcome.orThrow();
    }

    @Override
    public String toString() {
        return name;
    }
}
