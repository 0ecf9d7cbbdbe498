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
package org.apache.eventmesh.state.tck.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who owns a scope, and the handles that were ever given out for it.
 *
 * @param <H> a handle
 */
final class Owned<H> {
    private record Claim<H>(int number, H handle) {}

    private static final int NOBODY = -1;

    private final Map<Integer, Claim<H>> claims = new HashMap<>();
    private int owner = NOBODY;
    private int claim;

    /** A claim succeeded; one by the owner changes nothing. */
    void claimed(int life, H handle) {
        if (owner != life) {
            owner = life;
            claim++;
        }
        claims.put(life, new Claim<>(claim, handle));
    }

    void released(int life) {
        if (!isFenced(life)) {
            owner = NOBODY;
        }
    }

    /** What this life got last, current or not. */
    Optional<H> handle(int life) {
        return Optional.ofNullable(claims.get(life)).map(Claim::handle);
    }

    /** Whether a write under the life's last handle is refused. */
    boolean isFenced(int life) {
        Claim<H> mine = claims.get(life);
        return mine == null || owner != life || mine.number() != claim;
    }

    boolean isOwned() {
        return owner != NOBODY;
    }

    int owner() {
        return owner;
    }

    /** Of the present ownership; greater than that of any before. */
    int claim() {
        return claim;
    }
}
