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
package org.apache.eventmesh.state.etcd.client;

import org.jspecify.annotations.Nullable;

/** A call that has no answer. The message says who was asked and what happened; it holds no secret. */
public final class EtcdCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final String what;

    public EtcdCallException(Failure failure, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.what = message;
    }

    /** The message: what was asked, of whom, what happened. */
    public String what() {
        return what;
    }

    /** What it means for the caller. */
    public Failure failure() {
        return failure;
    }
}
