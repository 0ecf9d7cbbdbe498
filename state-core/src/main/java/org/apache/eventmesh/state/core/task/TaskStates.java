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
package org.apache.eventmesh.state.core.task;

import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.task.TaskState;

/** States as they stand on disk, and as callers see them. */
final class TaskStates {
    private TaskStates() {}

    static TaskRecord.State stored(TaskState state) {
        return switch (state) {
            case SUBMITTED -> TaskRecord.State.SUBMITTED;
            case WORKING -> TaskRecord.State.WORKING;
            case INPUT_REQUIRED -> TaskRecord.State.INPUT_REQUIRED;
            case AUTH_REQUIRED -> TaskRecord.State.AUTH_REQUIRED;
            case COMPLETED -> TaskRecord.State.COMPLETED;
            case FAILED -> TaskRecord.State.FAILED;
            case CANCELED -> TaskRecord.State.CANCELED;
            case REJECTED -> TaskRecord.State.REJECTED;
        };
    }

    /**
     * The state of a number on disk.
     *
     * @throws IllegalArgumentException when no state that this version knows has that number
     */
    static TaskState of(int number) {
        return switch (number) {
            case TaskRecord.State.SUBMITTED_VALUE -> TaskState.SUBMITTED;
            case TaskRecord.State.WORKING_VALUE -> TaskState.WORKING;
            case TaskRecord.State.INPUT_REQUIRED_VALUE -> TaskState.INPUT_REQUIRED;
            case TaskRecord.State.AUTH_REQUIRED_VALUE -> TaskState.AUTH_REQUIRED;
            case TaskRecord.State.COMPLETED_VALUE -> TaskState.COMPLETED;
            case TaskRecord.State.FAILED_VALUE -> TaskState.FAILED;
            case TaskRecord.State.CANCELED_VALUE -> TaskState.CANCELED;
            case TaskRecord.State.REJECTED_VALUE -> TaskState.REJECTED;
            default -> throw new IllegalArgumentException("no task state that this version knows has number " + number);
        };
    }

    static TaskState of(TaskRecord record) {
        return of(record.getStateValue());
    }

    /** Whether the record is in that state; a state of a later version is none of those that this one knows. */
    static boolean is(TaskRecord record, TaskState state) {
        return record.getStateValue() == stored(state).getNumber();
    }

    /** Whether nothing leaves the state, as far as this version knows. */
    static boolean isFinal(TaskRecord record) {
        return is(record, TaskState.COMPLETED)
                || is(record, TaskState.FAILED)
                || is(record, TaskState.CANCELED)
                || is(record, TaskState.REJECTED);
    }

    static boolean isKnown(TaskRecord record) {
        return record.getState() != TaskRecord.State.UNRECOGNIZED
                && record.getState() != TaskRecord.State.STATE_UNSPECIFIED;
    }
}
