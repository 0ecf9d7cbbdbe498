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
package org.apache.eventmesh.state.core.commit;

/**
 * How much a {@link CommitQueue} holds.
 *
 * @param commits that may wait
 * @param bytes of keys and values that may wait
 * @param roundCommits the most that the engine is handed at once
 * @param roundBytes a round is closed when it has this many; one commit may exceed it alone
 * @param rounds that may be without an answer; more wait, and are merged while they do
 */
public record QueueBounds(int commits, long bytes, int roundCommits, long roundBytes, int rounds) {
    public static final QueueBounds DEFAULT = new QueueBounds(100_000, 128L << 20, 1_024, 8L << 20, 16);
}
