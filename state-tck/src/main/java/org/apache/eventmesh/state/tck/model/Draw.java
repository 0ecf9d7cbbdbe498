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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.eventmesh.state.task.TaskState;

/** Draws sequences of operations. The same seed gives the same sequence. */
final class Draw {
    private static final int OFFSETS = 8;
    private static final List<TaskState> STATES = List.of(TaskState.values());

    private final Random random;

    Draw(Random random) {
        this.random = random;
    }

    List<Step> sequence(int length) {
        List<Step> steps = new ArrayList<>();
        for (int n = 0; n < length; n++) {
            steps.add(next());
        }
        return steps;
    }

    private Step next() {
        int dice = random.nextInt(100);
        if (dice < 3) {
            return at("restart(%d)", (world, at) -> world.restart(at));
        }
        if (dice < 5) {
            int seconds = random.nextInt(3) == 0 ? 70 : 10;
            return new Step("world.pass(" + seconds + ");", world -> world.pass(seconds));
        }
        if (dice < 60) {
            return log();
        }
        if (dice < 75) {
            return task();
        }
        if (dice < 85) {
            return agent();
        }
        return dice < 92 ? session() : client();
    }

    private interface At {
        void on(World world, int at);
    }

    private Step at(String code, At on) {
        int at = random.nextInt(World.INSTANCES);
        return new Step("world." + String.format(code, at) + ";", world -> on.on(world, at));
    }

    private Step log() {
        int dice = random.nextInt(100);
        int sub = random.nextInt(LogPart.SUBSCRIBERS.size());
        long offset = random.nextInt(OFFSETS);
        int back = random.nextInt(4) == 0 ? 1 : 0;
        if (dice < 8) {
            return at("log().takeOver(%d)", (world, at) -> world.log().takeOver(at));
        }
        if (dice < 12) {
            return at("log().claim(%d)", (world, at) -> world.log().claim(at));
        }
        if (dice < 14) {
            return at("log().release(%d)", (world, at) -> world.log().release(at));
        }
        if (dice < 36) {
            int before = random.nextInt(4) - 1;
            int count = 1 + random.nextInt(3);
            boolean given = random.nextBoolean();
            return at(
                    "log().open(%d, " + sub + ", " + before + ", " + count + ", " + given + ")",
                    (world, at) -> world.log().open(at, sub, before, count, given));
        }
        if (dice < 54) {
            return at(
                    "log().ack(%d, " + sub + ", " + offset + ", " + back + ")",
                    (world, at) -> world.log().ack(at, sub, offset, back));
        }
        if (dice < 66) {
            int delay = random.nextInt(2) * 15;
            return at(
                    "log().nack(%d, " + sub + ", " + offset + ", " + back + ", " + delay + ")",
                    (world, at) -> world.log().nack(at, sub, offset, back, delay));
        }
        if (dice < 70) {
            return at(
                    "log().deadLetter(%d, " + sub + ", " + offset + ", " + back + ")",
                    (world, at) -> world.log().deadLetter(at, sub, offset, back));
        }
        return dice < 82 ? handOutOrLook(sub, offset) : progress(sub, offset);
    }

    private Step handOutOrLook(int sub, long offset) {
        int dice = random.nextInt(12);
        if (dice < 7) {
            return at("log().handOut(%d)", (world, at) -> world.log().handOut(at));
        }
        if (dice < 10) {
            return at(
                    "log().position(%d, " + sub + ")",
                    (world, at) -> world.log().position(at, sub));
        }
        return at(
                "log().purge(%d, " + sub + ", " + offset + ")",
                (world, at) -> world.log().purge(at, sub, offset));
    }

    private Step progress(int sub, long offset) {
        int dice = random.nextInt(10);
        if (dice < 4) {
            return at(
                    "log().advance(%d, " + sub + ", " + offset + ")",
                    (world, at) -> world.log().advance(at, sub, offset));
        }
        if (dice < 8) {
            boolean expected = random.nextInt(4) > 0;
            return at(
                    "log().reset(%d, " + sub + ", " + expected + ", " + offset + ")",
                    (world, at) -> world.log().reset(at, sub, expected, offset));
        }
        return dice < 9
                ? at("log().remove(%d, " + sub + ")", (world, at) -> world.log().remove(at, sub))
                : at(
                        "log().withdraw(%d, " + sub + ")",
                        (world, at) -> world.log().withdraw(at, sub));
    }

    private Step task() {
        int dice = random.nextInt(10);
        int task = random.nextInt(TaskPart.TASKS);
        int back = random.nextInt(4) == 0 ? 1 : 0;
        if (dice < 3) {
            int content = random.nextInt(4) == 0 ? 1 : 0;
            return at(
                    "tasks().create(%d, " + task + ", " + content + ")",
                    (world, at) -> world.tasks().create(at, task, content));
        }
        if (dice < 5) {
            return random.nextInt(4) == 0
                    ? at(
                            "tasks().release(%d, " + task + ")",
                            (world, at) -> world.tasks().release(at, task))
                    : at(
                            "tasks().takeOver(%d, " + task + ")",
                            (world, at) -> world.tasks().takeOver(at, task));
        }
        if (dice < 8) {
            TaskState to = STATES.get(random.nextInt(STATES.size()));
            boolean output = random.nextBoolean();
            return at(
                    "tasks().move(%d, " + task + ", " + back + ", TaskState." + to + ", " + output + ")",
                    (world, at) -> world.tasks().move(at, task, back, to, output));
        }
        return dice < 9
                ? at(
                        "tasks().cancel(%d, " + task + ", " + back + ")",
                        (world, at) -> world.tasks().cancel(at, task, back))
                : at(
                        "tasks().find(%d, " + task + ")",
                        (world, at) -> world.tasks().find(at, task));
    }

    private Step agent() {
        int dice = random.nextInt(10);
        int session = random.nextInt(AgentPart.SESSIONS);
        if (dice < 2) {
            return at("agents().takeOver(%d)", (world, at) -> world.agents().takeOver(at));
        }
        if (dice < 3) {
            return at("agents().unregister(%d)", (world, at) -> world.agents().unregister(at));
        }
        if (dice < 5) {
            boolean ready = random.nextBoolean();
            int load = random.nextInt(3);
            return at(
                    "agents().heartbeat(%d, " + ready + ", " + load + ")",
                    (world, at) -> world.agents().heartbeat(at, ready, load));
        }
        if (dice < 8) {
            int back = random.nextInt(4) == 0 ? 1 : 0;
            return at(
                    "agents().bind(%d, " + session + ", " + back + ")",
                    (world, at) -> world.agents().bind(at, session, back));
        }
        return at(
                "agents().unbind(%d, " + session + ")",
                (world, at) -> world.agents().unbind(at, session));
    }

    private Step session() {
        int dice = random.nextInt(10);
        int session = random.nextInt(SessionPart.SESSIONS);
        if (dice < 3) {
            return at(
                    "sessions().open(%d, " + session + ")",
                    (world, at) -> world.sessions().open(at, session));
        }
        if (dice < 6) {
            return at(
                    "sessions().keepAlive(%d, " + session + ")",
                    (world, at) -> world.sessions().keepAlive(at, session));
        }
        if (dice < 7) {
            return at(
                    "sessions().close(%d, " + session + ")",
                    (world, at) -> world.sessions().close(at, session));
        }
        return dice < 8
                ? at("sessions().expire(%d)", (world, at) -> world.sessions().expire(at))
                : at(
                        "sessions().find(%d, " + session + ")",
                        (world, at) -> world.sessions().find(at, session));
    }

    private Step client() {
        int dice = random.nextInt(10);
        int topic = random.nextInt(ClientPart.TOPICS);
        if (dice < 3) {
            return at("clients().connect(%d)", (world, at) -> world.clients().connect(at));
        }
        return dice < 7
                ? at(
                        "clients().register(%d, " + topic + ")",
                        (world, at) -> world.clients().register(at, topic))
                : at(
                        "clients().unregister(%d, " + topic + ")",
                        (world, at) -> world.clients().unregister(at, topic));
    }
}
