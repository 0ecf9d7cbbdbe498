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
package org.apache.eventmesh.state.core.key;

import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.TaskId;

/** The number of a kind of scope in a key; on disk, so never changed. */
enum ScopeKind {
    PARTITION(1),
    CLIENT(2),
    AGENT(3),
    TASK(4);

    private final int number;

    ScopeKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static void write(Scope scope, KeyWriter to) {
        if (scope instanceof Partition partition) {
            to.kind(PARTITION.number).partition(partition);
        } else if (scope instanceof ClientId client) {
            to.kind(CLIENT.number).text(client.value());
        } else if (scope instanceof AgentId agent) {
            to.kind(AGENT.number).text(agent.value());
        } else {
            to.kind(TASK.number).text(((TaskId) scope).value());
        }
    }

    static Scope read(KeyReader from) {
        int kind = from.kind();
        return switch (kind) {
            case 1 -> from.partition();
            case 2 -> new ClientId(from.text());
            case 3 -> new AgentId(from.text());
            case 4 -> new TaskId(from.text());
            default -> throw new IllegalArgumentException("no scope has kind " + kind);
        };
    }
}
