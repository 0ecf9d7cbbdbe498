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
package org.apache.eventmesh.state.tck.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Operations of all six stores in random order, at two instances that die and start again, compared one by one with a
 * plain model that was written from the contract. A sequence that fails is shrunk to the few operations that are needed,
 * and told as Java. Five sequences; {@code -Dmodel.sequences=…} changes it, {@code -Dsoak.seconds=…} makes them go on for so
 * long, and the time limit must be lifted then.
 */
public interface ModelRules extends Rules {
    /** Of one sequence. */
    int OPERATIONS = 150;

    @Test
    @Timeout(180)
    default void required_G04_random_operations_of_all_stores_answer_as_a_model_of_the_contract() {
        Draw draw = new Draw(Seeds.next(this));
        Figures figures = new Figures();
        Rounds sequences = Rounds.of("model.sequences", 5);
        while (sequences.next()) {
            String name = "sequence-" + sequences.number();
            List<Step> steps = draw.sequence(OPERATIONS);
            Optional<Throwable> failure = failure(name, steps);
            if (failure.isPresent()) {
                throw told(name, steps, failure.get());
            }
            figures.add("sequences", 1);
            figures.add("steps", steps.size());
        }
        figures.log(this);
    }

    private AssertionError told(String name, List<Step> steps, Throwable first) {
        List<Step> few = new ArrayList<>(steps);
        Throwable failure = first;
        int runs = 0;
        for (int size = few.size() / 2; size > 0; size /= 2) {
            for (int from = 0; from < few.size(); ) {
                List<Step> fewer = new ArrayList<>(few);
                fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
                Optional<Throwable> still = failure(name + "-" + ++runs, fewer);
                if (still.isPresent()) {
                    few = fewer;
                    failure = still.get();
                } else {
                    from += size;
                }
            }
        }
        return new AssertionError(
                "the store does not answer as the contract says. In a test of the kit:\n"
                        + "World world = new World(kit(), \"again\");\n"
                        + few.stream().map(Step::code).collect(Collectors.joining("\n"))
                        + "\nworld.compare();",
                failure);
    }

    /** Of a store that nobody used before. */
    private Optional<Throwable> failure(String name, List<Step> steps) {
        try (World world = new World(kit(), name)) {
            steps.forEach(step -> step.on().accept(world));
            world.compare();
            return Optional.empty();
        } catch (AssertionError | RuntimeException wrong) {
            return Optional.of(wrong);
        }
    }
}
