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
package org.apache.eventmesh.state.owner;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.Scope;

/**
 * An owned thing. It stays in its process; what passes between processes is its {@link Token}. Safe for any number of
 * threads.
 */
public interface Handle<S extends Scope> {
    Token<S> token();

    /**
     * Completes once, when an answer or a watch has shown that another owns or nobody does any more: the one place to
     * stop work. Never completes exceptionally; stays incomplete while the ownership stands and when the store set
     * closes.
     */
    CompletionStage<Fenced> lost();

    /**
     * Gives the scope back, so that another may claim it at once. Durable; idempotent: releasing what another owns
     * changes nothing and succeeds.
     */
    CompletionStage<Void> release();
}
