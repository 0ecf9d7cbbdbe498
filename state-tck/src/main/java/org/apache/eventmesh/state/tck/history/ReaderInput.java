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

import java.util.OptionalLong;
import org.apache.eventmesh.state.owner.Token;

/** What is asked about the progress of one subscriber in one partition. */
sealed interface ReaderInput permits OwnerInput, ReaderInput.Position, ReaderInput.Owned {
    /** Answered with the position. */
    record Position() implements ReaderInput {
        @Override
        public String toString() {
            return "position";
        }
    }

    /** A write of the owner. */
    sealed interface Owned extends ReaderInput {
        Token<?> token();
    }

    record Advance(Token<?> token, long to) implements Owned {
        @Override
        public String toString() {
            return "advance to " + to + " under " + token.epoch();
        }
    }

    record Rewind(Token<?> token, OptionalLong expected, long to) implements Owned {
        @Override
        public String toString() {
            return "reset from " + expected + " to " + to + " under " + token.epoch();
        }
    }

    /**
     * One message of a poll.
     *
     * @param from where the poll begins
     */
    record Open(Token<?> token, long from, long offset) implements Owned {
        @Override
        public String toString() {
            return "open " + offset + " of a poll from " + from + " under " + token.epoch();
        }
    }

    /**
     * Of a delivery that was opened.
     *
     * @param number of the delivery's id
     */
    record Settle(Token<?> token, long offset, long number) implements Owned {
        @Override
        public String toString() {
            return "ack " + offset + " as delivery " + number + " under " + token.epoch();
        }
    }
}
