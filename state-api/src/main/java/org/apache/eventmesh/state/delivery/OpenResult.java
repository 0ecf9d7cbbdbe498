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
package org.apache.eventmesh.state.delivery;

import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to the opening of one delivery. */
public sealed interface OpenResult
        permits OpenResult.Opened,
                OpenResult.AlreadyOpen,
                OpenResult.AlreadySettled,
                OpenResult.Withdrawn,
                OpenResult.OutOfOrder,
                OpenResult.OtherGeneration,
                Fenced {
    /** New and durable; handed out if a receiver was named. */
    record Opened(Delivery delivery, Optional<HandOut> handOut) implements OpenResult {
        public Opened {
            Check.given("delivery", delivery);
            Check.given("handOut", handOut);
        }
    }

    /** Known and open; its hand-out, if any, goes on. */
    record AlreadyOpen(Delivery existing) implements OpenResult {
        public AlreadyOpen {
            Check.given("existing", existing);
        }
    }

    /** Settled before, or never meant for this subscriber; nothing to push. */
    record AlreadySettled() implements OpenResult {}

    /** The subscriber was withdrawn while this batch was opened. */
    record Withdrawn() implements OpenResult {}

    /** The range leaves a gap behind the subscriber's cursor: read again from {@code cursor}, or {@code reset}. */
    record OutOfOrder(long cursor) implements OpenResult, ReaderResult {}

    /** The subscriber's cursor belongs to another life of the topic: {@code reset} it into this one. */
    record OtherGeneration(String current, long cursor) implements OpenResult, ReaderResult {
        public OtherGeneration {
            Check.given("current", current);
        }
    }
}
