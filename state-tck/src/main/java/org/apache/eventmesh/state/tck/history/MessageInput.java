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

import org.apache.eventmesh.state.owner.Token;

/** What is asked about one message of an unordered source, its deliveries and their dead letters. */
sealed interface MessageInput permits OwnerInput, MessageInput.Owned, MessageInput.Free {
    /** A write or a read of the owner. */
    sealed interface Owned extends MessageInput {
        Token<?> token();
    }

    /** Anybody's. */
    sealed interface Free extends MessageInput {}

    /** The part of an opening that is for one of the targets; always with the same broker handle. */
    record Open(Token<?> token, int target) implements Owned {
        @Override
        public String toString() {
            return "open for target " + target + " under " + token.epoch();
        }
    }

    record Settle(Token<?> token, int target, long epoch) implements Owned {
        @Override
        public String toString() {
            return "ack for target " + target + ", hand-out " + epoch + ", under " + token.epoch();
        }
    }

    record GiveUp(Token<?> token, int target, long epoch) implements Owned {
        @Override
        public String toString() {
            return "dead-letter for target " + target + ", hand-out " + epoch + ", under " + token.epoch();
        }
    }

    record Fail(Token<?> token, int target, long epoch) implements Owned {
        @Override
        public String toString() {
            return "nack for target " + target + ", hand-out " + epoch + ", under " + token.epoch();
        }
    }

    /** Answered with the epoch under which this delivery was given; what was not given is not asked about here. */
    record HandOut(Token<?> token) implements Owned {
        @Override
        public String toString() {
            return "hand out under " + token.epoch();
        }
    }

    /** Answered with whether the fan-out is among the completed ones. */
    record IsCompleted(Token<?> token) implements Owned {
        @Override
        public String toString() {
            return "is completed, under " + token.epoch();
        }
    }

    /** Answered with how many were confirmed: this one, or none. */
    record Confirm(Token<?> token) implements Owned {
        @Override
        public String toString() {
            return "confirm under " + token.epoch();
        }
    }

    record Find(int target) implements Free {
        @Override
        public String toString() {
            return "find the delivery for target " + target;
        }
    }

    /** Answered with whether there is one. */
    record FindLetter(int target) implements Free {
        @Override
        public String toString() {
            return "find the dead letter of target " + target;
        }
    }

    record Purge(int target) implements Free {
        @Override
        public String toString() {
            return "purge the dead letter of target " + target;
        }
    }
}
