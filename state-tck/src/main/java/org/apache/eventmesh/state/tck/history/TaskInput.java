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

import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.TaskState;

/** What is asked about one task. */
sealed interface TaskInput permits OwnerInput, TaskInput.Create, TaskInput.Find, TaskInput.Move, TaskInput.Cancel {
    /** Always with the same content. */
    record Create(Holder by) implements TaskInput {
        @Override
        public String toString() {
            return "create as " + by.instance();
        }
    }

    record Find() implements TaskInput {
        @Override
        public String toString() {
            return "find";
        }
    }

    record Move(Token<?> token, long version, TaskState to) implements TaskInput {
        @Override
        public String toString() {
            return "move version " + version + " to " + to + " under " + token.epoch();
        }
    }

    record Cancel(long version) implements TaskInput {
        @Override
        public String toString() {
            return "cancel version " + version;
        }
    }
}
