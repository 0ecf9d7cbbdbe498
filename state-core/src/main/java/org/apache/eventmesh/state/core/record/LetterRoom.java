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
package org.apache.eventmesh.state.core.record;

/** What a dead letter takes in a commit beside payload, attributes and task: keys, reasons, progress, settlement. */
public final class LetterRoom {
    private static final int MOST = 192 << 10;

    private LetterRoom() {}

    /**
     * Bytes to leave free when something is written that may have to be given up later, in one commit with its dead letter.
     *
     * @param commit bytes that a commit may hold
     */
    public static int of(int commit) {
        return Math.min(MOST, commit / 4);
    }
}
