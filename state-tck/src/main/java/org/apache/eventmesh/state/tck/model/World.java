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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.StoreKit;

/**
 * A store with two instances and a model of it. Every operation is done on both, and their answers must be the same; one
 * that has no meaning at the moment, as a write by somebody who never claimed, does nothing: so steps can be left out of a
 * sequence.
 */
public final class World implements AutoCloseable {
    static final int INSTANCES = 2;

    private final StoreKit kit;
    private final String name;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Instance> dead = new ArrayList<>();
    private final int[] lives = new int[INSTANCES];
    private final LogPart log;
    private final TaskPart tasks;
    private final AgentPart agents;
    private final SessionPart sessions;
    private final ClientPart clients;

    /**
     * Opens both instances.
     *
     * @param name of its own among all that use this kit
     */
    public World(StoreKit kit, String name) {
        this.kit = kit;
        this.name = name;
        for (int at = 0; at < INSTANCES; at++) {
            lives[at] = at;
            instances.add(kit.open(name + "-" + at));
        }
        log = new LogPart(this);
        tasks = new TaskPart(this);
        agents = new AgentPart(this);
        sessions = new SessionPart(this);
        clients = new ClientPart(this);
    }

    public LogPart log() {
        return log;
    }

    public TaskPart tasks() {
        return tasks;
    }

    public AgentPart agents() {
        return agents;
    }

    public SessionPart sessions() {
        return sessions;
    }

    public ClientPart clients() {
        return clients;
    }

    /** The process of an instance is killed and another one starts in its place. */
    public void restart(int at) {
        instances.get(at).crash();
        dead.add(instances.get(at));
        clients.died(life(at));
        lives[at] += INSTANCES;
        instances.set(at, kit.open(name + "-" + at + "-" + lives[at]));
    }

    /** For everybody. */
    public void pass(int seconds) {
        kit.passTime(Duration.ofSeconds(seconds));
    }

    /** What everybody can read is what the model says. */
    public void compare() {
        log.compare();
        tasks.compare();
        agents.compare();
        sessions.compare();
        clients.compare();
    }

    String name(String of) {
        return name + "-" + of;
    }

    /** No two lives of any instance have the same. */
    int life(int at) {
        return lives[at];
    }

    boolean isAlive(int life) {
        return lives[life % INSTANCES] == life;
    }

    Member member(int at) {
        return instances.get(at).member();
    }

    StateStores stores(int at) {
        return instances.get(at).stores();
    }

    Instant now() {
        return kit.time().now();
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        dead.forEach(Instance::bury);
    }
}
