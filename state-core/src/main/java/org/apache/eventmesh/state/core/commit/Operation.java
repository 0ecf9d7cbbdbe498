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

import java.util.Locale;
import java.util.Objects;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;

/**
 * What a caller asked: the beginning of every message, and the name under which events are told.
 *
 * @param name as the API calls it
 * @param subject what it was asked about; printed only when something goes wrong
 */
public record Operation(StoreName store, String name, Object subject) {
    public Operation(StoreName store, String name) {
        this(store, name, "");
    }

    /** The same kind of failure, with what was asked of which backend before what happened and what to do. */
    public StateStoreException explain(StateStoreException why, String backend) {
        String message = this + ", asked of " + backend + ": " + why.getMessage();
        if (why instanceof StoreUnavailableException) {
            return new StoreUnavailableException(message, why);
        } else if (why instanceof OverloadedException) {
            return new OverloadedException(message, why);
        } else if (why instanceof OutcomeUnknownException) {
            return new OutcomeUnknownException(message, why);
        } else if (why instanceof CorruptStateException) {
            return new CorruptStateException(message, why);
        } else if (why instanceof LimitExceededException) {
            return new LimitExceededException(message, why);
        } else if (why instanceof StoreClosedException) {
            return new StoreClosedException(message, why);
        } else if (why instanceof IncompatibleFormatException) {
            return new IncompatibleFormatException(message, why);
        }
        return why;
    }

    @Override
    public String toString() {
        String about = about();
        return store.name().toLowerCase(Locale.ROOT) + "." + name + (about.isEmpty() ? "" : " of " + about);
    }

    /** The subject of a failed call may be anything: a message about the failure must not fail too. */
    private String about() {
        try {
            return Objects.requireNonNullElse(subject.toString(), "null");
        } catch (RuntimeException | Error e) {
            return "a " + subject.getClass().getSimpleName() + " that cannot be printed";
        }
    }
}
