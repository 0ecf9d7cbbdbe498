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
package org.apache.eventmesh.state.owner;

import java.util.Optional;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.TransitionResult;

/**
 * The one answer to a write whose token is not current: another owns, or nobody does. Nothing was changed; only
 * a {@linkplain SweepResult sweep}, and a {@linkplain ReaderResult reader} of an opening, may have got as far as their first
 * commits. The handle is spent and its {@link Handle#lost()} has completed.
 *
 * @param current the claim that stands now; empty when nobody owns
 */
public record Fenced(Optional<Current> current)
        implements AckResult,
                NackResult,
                OpenResult,
                ReaderResult,
                HandOutResult,
                SweepResult,
                DiscardResult,
                AdvanceResult,
                ResetResult,
                RemoveResult,
                RegisterResult,
                HeartbeatResult,
                TransitionResult,
                CreateResult {
    public Fenced {
        Check.given("current", current);
    }

    /** The claim that stands. */
    public record Current(long epoch, Holder holder) {
        public Current {
            Check.given("holder", holder);
        }
    }
}
