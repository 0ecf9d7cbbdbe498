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
package org.apache.eventmesh.state.failure;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a store, as against a decision. Unchecked. Every message says what was asked, of which backend, what
 * happened, and what to do.
 */
public abstract class StateStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected StateStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether nothing was applied and nothing will be, for certain. When {@code false}, call again with the same
     * arguments: every operation is safe to repeat.
     */
    public boolean certainlyNotApplied() {
        return true;
    }
}
