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
package org.apache.eventmesh.state.deadletter;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;

/**
 * What was given up, and why. Records are made by {@code Shard.nack}, {@code Shard.deadLetter} and
 * {@code Shard.handOut}, in the commit that settles the delivery; operators read, replay and purge. All writes are
 * synced.
 */
public interface DeadLetterStore {
    /** Empty when there is none. Fails with {@code CorruptStateException} when it cannot be decoded. */
    CompletionStage<Optional<DeadLetter>> find(DeadLetterId id);

    /** In order of time. */
    CompletionStage<Page<DeadLetter>> list(DeadLetterFilter filter, PageRequest page);

    /** How many; reads no payload. */
    CompletionStage<Long> count(DeadLetterFilter filter);

    /**
     * Makes it a new delivery of its shard, due at once, in one commit with the end of the record. Needs no token: it is
     * conditional on the shard's holder and on the record as read. Where another member owns the shard, or nobody, the
     * request is made durable and the owner finishes it. Once per request key: a repeat gives the first result; results
     * are kept for a day.
     */
    CompletionStage<ReplayResult> replay(DeadLetter asRead, RequestKey key);

    /** Removes one, if it is as read. Idempotent. */
    CompletionStage<PurgeResult> purge(DeadLetter asRead);

    /**
     * Removes at most {@code limit} of those before {@code until}, oldest first. Idempotent, resumable.
     *
     * @param limit at least 1, else {@code IllegalArgumentException}
     */
    CompletionStage<Swept> purge(DeadLetterFilter filter, Instant until, int limit);
}
