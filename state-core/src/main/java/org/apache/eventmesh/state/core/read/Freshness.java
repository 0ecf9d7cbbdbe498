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
package org.apache.eventmesh.state.core.read;

/**
 * When a copy that follows a watch was last known to equal the backend. Events alone cannot tell: one may have waited long
 * on its way. So the backend is asked for its revision now and then, and once the watch has reached that, the copy is as
 * fresh as the moment of asking.
 */
final class Freshness {
    private static final long NOTHING = -1;

    private long reached = NOTHING;
    private long asked = NOTHING;
    private long askedAt;
    private int inVain;

    /**
     * The copy holds every change up to this revision.
     *
     * @return whether that was all there was when the backend was asked; {@link #askedAt} says when
     */
    boolean reached(long revision) {
        reached = Math.max(reached, revision);
        inVain = 0;
        return equal();
    }

    /**
     * The backend has answered.
     *
     * @param at when it was asked
     * @return as {@link #reached}
     */
    boolean backendIsAt(long revision, long at) {
        // an open question is kept: a busy backend would never be reached otherwise
        if (asked == NOTHING) {
            asked = revision;
            askedAt = at;
        }
        inVain++;
        return equal();
    }

    /** Every change up to this revision is in the copy. */
    long reached() {
        return reached;
    }

    long askedAt() {
        return askedAt;
    }

    /** Whether the backend, which is ahead, was asked so often since the watch last told anything. */
    boolean silentFor(int asks) {
        return asked != NOTHING && inVain >= asks;
    }

    private boolean equal() {
        boolean equal = asked != NOTHING && reached >= asked;
        if (equal) {
            asked = NOTHING;
        }
        return equal;
    }
}
