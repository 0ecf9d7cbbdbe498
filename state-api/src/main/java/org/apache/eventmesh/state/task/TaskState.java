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
package org.apache.eventmesh.state.task;

/**
 * The states of a task in the Agent2Agent protocol (its {@code TaskState}).
 *
 * <p>SUBMITTED may become any other; WORKING, INPUT_REQUIRED and AUTH_REQUIRED may become one another and any final
 * state; nothing becomes SUBMITTED again; nothing leaves a final state.
 */
public enum TaskState {
    SUBMITTED,
    WORKING,
    INPUT_REQUIRED,
    AUTH_REQUIRED,
    COMPLETED,
    FAILED,
    CANCELED,
    REJECTED;

    /** Whether nothing leaves this state. */
    public boolean isFinal() {
        return switch (this) {
            case SUBMITTED, WORKING, INPUT_REQUIRED, AUTH_REQUIRED -> false;
            case COMPLETED, FAILED, CANCELED, REJECTED -> true;
        };
    }

    /** Whether a task in this state may become {@code next}; an unfinished one may stay what it is. */
    public boolean mayBecome(TaskState next) {
        return !isFinal() && (next != SUBMITTED || this == SUBMITTED);
    }
}
