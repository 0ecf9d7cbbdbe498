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

/**
 * The rule of one operation: a pure and quick function from what was read to what to do. It is called again with newer facts
 * when somebody else was faster, possibly on another thread, never concurrently.
 */
@FunctionalInterface
public interface Decider<R> {
    /** A {@code StateStoreException} that it throws fails the operation; nothing was applied then. */
    Decision<R> decide(Seen seen);
}
