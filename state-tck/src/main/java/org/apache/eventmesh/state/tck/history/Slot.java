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

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.tck.kit.StoreKit;

/** An instance over its lives, and those who call there. */
final class Slot {
    private final StoreKit kit;
    private final String name;
    private final AtomicInteger callers = new AtomicInteger();
    private int lives;
    private volatile Life life;

    Slot(StoreKit kit, String name) {
        this.kit = kit;
        this.name = name;
        this.life = new Life(kit.open(name));
    }

    Life life() {
        return life;
    }

    /** Who has not finished yet. */
    AtomicInteger callers() {
        return callers;
    }

    boolean allWait() {
        return life.waiting() == callers.get();
    }

    /** Nothing of this life goes on; callers wait until there is another. */
    void crash() {
        life.instance().crash();
    }

    /** After a crash. */
    void restart() {
        lives++;
        Life before = life;
        life = new Life(kit.open(name + "-" + lives));
        before.end();
    }
}
