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

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.tck.kit.StoreKit;

/**
 * Rules of the contract as tests; the name of a test begins with the number of the rule that it proves, or with the
 * number of the named scenario that it is.
 */
public interface Rules {
    /** Of every store set that a test does not open with another. */
    Duration DEADLINE = StoreKit.DEADLINE;

    /** Of the test that runs. */
    StoreKit kit();

    default Instance open(String name) {
        return kit().open(name);
    }

    default void passTime(Duration length) {
        kit().passTime(length);
    }

    default void eventually(Runnable assertion) {
        Eventually.holds(assertion);
    }

    default <T> T get(CompletionStage<T> stage) {
        return Stages.get(stage);
    }
}
