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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.eventmesh.state.tck.kit.StoreKit;

/** An instance over its lives, and those who call there. */
final class Slot {
    private final Function<String, Life> birth;
    private final String name;
    private final List<Life> past = new ArrayList<>();
    private final AtomicInteger callers = new AtomicInteger();
    private int lives;
    private volatile Life life;

    Slot(StoreKit kit, String name) {
        this(instance -> new Life(kit.open(instance)), name);
    }

    /** @param birth gives the life of a name that no other has */
    Slot(Function<String, Life> birth, String name) {
        this.birth = birth;
        this.name = name;
        this.life = birth.apply(name);
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
        life = birth.apply(name + "-" + lives);
        before.end();
        past.add(before);
    }

    /** After the run: what is left of the lives that crashed comes to its end. */
    void bury() {
        past.forEach(each -> each.instance().bury());
        past.clear();
    }
}
