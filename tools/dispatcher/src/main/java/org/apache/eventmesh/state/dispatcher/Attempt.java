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
package org.apache.eventmesh.state.dispatcher;

/**
 * Steps of a round, each by itself: what one of them cannot do, it tells, and the next one is done. That includes errors: a
 * message on which a transport overflows the stack keeps no other message from its receiver.
 */
final class Attempt {
    private final Trouble trouble;

    Attempt(Trouble trouble) {
        this.trouble = trouble;
    }

    void to(String step, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            trouble.in(step, failure);
        }
    }
}
