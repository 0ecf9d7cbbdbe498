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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;

/** Rules T01 to T04 and T08 for one task, all of whose creators ask for the same content. */
final class TaskSpec implements Spec<TaskSpec.Known, TaskInput, Object> {
    /**
     * A task.
     *
     * @param state empty when there is no task
     */
    record Known(Owning owning, Optional<TaskState> state, Rising version) {
        /** What is known after it was seen; empty when it cannot be that. */
        private Optional<Known> seen(Task task) {
            return state.equals(Optional.of(task.state()))
                    ? version.seen(task.version()).map(now -> new Known(owning, state, now))
                    : Optional.empty();
        }

        private Known owned(Owning now) {
            return new Known(now, state, version);
        }

        private boolean mayBecome(TaskState next) {
            return state.isPresent() && state.get().mayBecome(next);
        }

        private Optional<Known> moved(TaskState to, Task now) {
            return now.state() == to
                    ? version.raised(now.version()).map(raised -> new Known(owning, Optional.of(to), raised))
                    : Optional.empty();
        }

        private Known movedUnseen(TaskState to) {
            return new Known(owning, Optional.of(to), version.raised());
        }
    }

    @Override
    public Known initial() {
        return new Known(Owning.NOBODY, Optional.empty(), Rising.NEVER);
    }

    @Override
    public boolean reads(TaskInput input) {
        return input instanceof TaskInput.Find;
    }

    @Override
    public Optional<Known> after(Known known, TaskInput input, Object output) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.after(known.owning(), owner, output).map(known::owned);
        }
        if (input instanceof TaskInput.Find) {
            Optional<?> found = (Optional<?>) output;
            return found.isPresent()
                    ? known.seen((Task) found.get())
                    : known.state().isEmpty() ? Optional.of(known) : Optional.empty();
        }
        if (input instanceof TaskInput.Create) {
            return created(known, output);
        }
        if (input instanceof TaskInput.Move move) {
            return output instanceof Fenced fenced
                    ? known.owning().fenced(move.token(), fenced).map(known::owned)
                    : known.owning()
                            .current(move.token())
                            .map(known::owned)
                            .flatMap(now -> changed(now, move.version(), move.to(), output));
        }
        return changed(known, ((TaskInput.Cancel) input).version(), TaskState.CANCELED, output);
    }

    /** The shard that a task is created under is another thing; so it may be lost at any time, and then nothing is changed. */
    private static Optional<Known> created(Known known, Object output) {
        if (output instanceof CreateResult.Created created) {
            return known.state().isPresent()
                    ? Optional.empty()
                    : known.moved(TaskState.SUBMITTED, created.task())
                            .flatMap(now -> now.owning()
                                    .claimed(created.owned().token())
                                    .map(now::owned));
        }
        if (output instanceof CreateResult.Existing existing) {
            return known.seen(existing.task());
        }
        return output instanceof Fenced ? Optional.of(known) : Optional.empty();
    }

    private static Optional<Known> changed(Known known, long version, TaskState to, Object output) {
        Optional<Rising> asRead = known.version().seen(version);
        if (output instanceof TransitionResult.Moved moved) {
            boolean allowed =
                    asRead.isPresent() && known.mayBecome(to) && moved.task().version() > version;
            return allowed ? known.moved(to, moved.task()) : Optional.empty();
        }
        if (output instanceof TransitionResult.Conflict conflict) {
            return conflict.current().version() != version ? known.seen(conflict.current()) : Optional.empty();
        }
        if (output instanceof TransitionResult.NotAllowed refused) {
            return known.mayBecome(to) ? Optional.empty() : known.seen(refused.current());
        }
        return output instanceof TransitionResult.NotFound && known.state().isEmpty()
                ? Optional.of(known)
                : Optional.empty();
    }

    @Override
    public Collection<Known> possible(Known known, TaskInput input) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.possible(known.owning(), owner).stream()
                    .map(known::owned)
                    .toList();
        }
        if (input instanceof TaskInput.Create create) {
            return known.state().isPresent()
                    ? List.of()
                    : List.of(known.movedUnseen(TaskState.SUBMITTED)
                            .owned(known.owning().claimedUnseen(create.by())));
        }
        if (input instanceof TaskInput.Move move) {
            return known.owning()
                    .current(move.token())
                    .map(known::owned)
                    .map(now -> changedUnseen(now, move.version(), move.to()))
                    .orElse(List.of());
        }
        return input instanceof TaskInput.Cancel cancel
                ? changedUnseen(known, cancel.version(), TaskState.CANCELED)
                : List.of();
    }

    private static Collection<Known> changedUnseen(Known known, long version, TaskState to) {
        return known.version().seen(version).isPresent() && known.mayBecome(to)
                ? List.of(known.movedUnseen(to))
                : List.of();
    }
}
