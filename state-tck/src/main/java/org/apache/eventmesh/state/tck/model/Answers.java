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

import java.util.Locale;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.TransitionResult;

/** What a store answered, without the ids, epochs and times that a model does not know. */
final class Answers {
    static final String FENCED = "fenced";

    private Answers() {}

    static Object of(Object answer) {
        if (answer instanceof Outcome<?> outcome) {
            return of(outcome.orThrow());
        }
        if (answer instanceof Fenced) {
            return FENCED;
        }
        if (answer instanceof OpenResult.Opened || answer instanceof OpenResult.AlreadyOpen) {
            return name(answer);
        }
        if (answer instanceof AckResult.Acked acked) {
            return "acked, at " + acked.position();
        }
        if (answer instanceof NackResult.Rescheduled rescheduled) {
            return "rescheduled after " + rescheduled.failures();
        }
        if (answer instanceof SweepResult.Done done) {
            return "swept " + done.count();
        }
        boolean byName = answer instanceof AckResult.Duplicate
                || answer instanceof NackResult.DeadLettered
                || answer instanceof Refused.Stale
                || answer instanceof TransitionResult
                || answer instanceof CreateResult;
        return byName ? name(answer) : String.valueOf(answer);
    }

    private static String name(Object answer) {
        return answer.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
