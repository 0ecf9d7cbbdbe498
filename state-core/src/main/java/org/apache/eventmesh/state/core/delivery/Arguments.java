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
package org.apache.eventmesh.state.core.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.eventmesh.state.failure.LimitExceededException;

/** Checks of what a call is given, on the caller's thread. */
final class Arguments {
    /** Of the reason of a nack or of a dead letter, in bytes of UTF-8. */
    static final int REASON = 4096;

    private Arguments() {}

    static void limit(int limit) {
        that(limit >= 1, "limit is " + limit + "; it must be at least 1");
    }

    static void lease(Duration lease) {
        that(lease.compareTo(Duration.ZERO) > 0, "lease is " + lease + "; it must be longer than zero");
    }

    /** It is stored as UTF-8 and must come back exactly. */
    static void text(String what, String text) {
        that(
                StandardCharsets.UTF_8.newEncoder().canEncode(text),
                what + " has an unpaired surrogate; give well-formed Unicode");
    }

    /** Reasons are kept with the delivery, failure by failure, and all of them have to fit into its dead letter. */
    static void reason(String reason) {
        text("reason", reason);
        long size = OpenBounds.utf8(reason);
        if (size > REASON) {
            throw new LimitExceededException("the reason has " + size + " bytes in UTF-8, the limit is " + REASON
                    + "; nothing was applied, give a shorter one and log the rest");
        }
    }

    static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
