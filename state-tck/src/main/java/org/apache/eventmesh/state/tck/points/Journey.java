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
package org.apache.eventmesh.state.tck.points;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A fixed way through all six stores. Each step may be taken again by whoever takes over from one that was killed in it: it
 * looks at what is there, as a runtime does, and the stores do the rest.
 */
final class Journey {
    private static final int LAST = 6;

    /** One step, and its name for messages. */
    private record Step(String name, Consumer<Traveller> take) {}

    private static final List<Step> STEPS = List.of(
            new Step(
                    "register an interest",
                    on -> on.ask(on.client().register(interest(on.places().log())))),
            new Step("open a poll of the log", Journey::openLog),
            new Step(
                    "advance",
                    on -> on.ask(
                            on.stores().offsets().advance(on.log(), Map.of(Places.TRACKED, 5L, Places.REMOVED, 3L)))),
            new Step("ack a batch", Journey::ackTwo),
            new Step("nack", Journey::nack),
            new Step("hand out what was nacked", Journey::handOutReader),
            new Step("dead-letter", on -> giveUp(on, 3)),
            new Step("open a message of an unordered source", Journey::openPop),
            new Step("ack the first of its deliveries", on -> ackPop(on, Places.FIRST)),
            new Step("ack the last of its deliveries", on -> ackPop(on, Places.SECOND)),
            new Step("confirm its fan-out", Journey::confirm),
            new Step(
                    "replay the dead letter",
                    on -> on.ask(on.stores().deadLetters().find(on.places().letter(3)))
                            .ifPresent(letter -> on.ask(on.stores()
                                    .deadLetters()
                                    .replay(letter, RequestKey.of(on.places().name()))))),
            new Step("dead-letter another", on -> giveUp(on, 4)),
            new Step(
                    "purge it",
                    on -> on.ask(on.stores().deadLetters().find(on.places().letter(4)))
                            .ifPresent(
                                    letter -> on.ask(on.stores().deadLetters().purge(letter)))),
            new Step("reset", on -> on.ask(on.stores().offsets().reset(on.log(), Places.TRACKED, Reset.from(5, 2)))),
            new Step("remove progress", on -> on.ask(on.stores().offsets().remove(on.log(), Places.REMOVED))),
            new Step("withdraw a subscriber", on -> on.ask(on.log().withdraw(Places.GONE))),
            new Step("open two sessions", on -> {
                on.ask(on.stores().sessions().open(on.places().sessionSpec("open-1")));
                on.ask(on.stores().sessions().open(on.places().sessionSpec("open-2")));
            }),
            new Step(
                    "close one",
                    on -> on.ask(on.stores().sessions().close(on.places().session("open-2")))),
            new Step(
                    "create tasks",
                    on -> on.ask(on.stores()
                            .tasks()
                            .createAll(
                                    on.log(),
                                    List.of(
                                            on.places().newTask(1),
                                            on.places().newTask(2),
                                            on.places().newTask(3)),
                                    Places.carrier()))),
            new Step("complete a task", on -> {
                move(on, 1, TaskState.WORKING, "");
                move(on, 1, TaskState.COMPLETED, "output");
            }),
            new Step("cancel a task", Journey::cancel),
            new Step("give out a task, and two final ones no more", Journey::handOutTasks),
            new Step("ack a task", Journey::ackTasks),
            new Step("release a receiver", on -> on.ask(on.log().release(Places.RECEIVER))),
            new Step(
                    "unregister",
                    on -> on.ask(on.client().unregister(on.places().log().topic()))),
            // what a former registration of the agent was told and held is gone with it: all of it in one step
            new Step("bind two sessions to the agent, and unbind one", Journey::bind));

    private final Places places;
    private int next;

    Journey(Places places) {
        this.places = places;
    }

    /** Goes on from the step in which another was killed. */
    void on(Instance instance) {
        Traveller traveller = new Traveller(instance, places);
        for (; next < STEPS.size(); next++) {
            STEPS.get(next).take().accept(traveller);
        }
    }

    /** What is taken next, or again. */
    String where() {
        return next < STEPS.size() ? "\"" + STEPS.get(next).name() + "\"" : "the end";
    }

    private static Interest interest(Partition of) {
        return new Interest(of.topic(), Interest.Mode.LOAD_BALANCE, Places.READER, Optional.empty(), Attributes.NONE);
    }

    private static void openLog(Traveller on) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < LAST; offset++) {
            Incoming message = Incoming.of(offset, Bytes.utf8("message " + offset), Attributes.NONE)
                    .to(Places.READER, Places.RECEIVER);
            messages.add(offset == LAST - 1 ? message.to(Places.GONE) : message);
        }
        on.ask(on.log()
                .open(OpenBatch.range("life", 0, LAST, Set.of(Places.READER, Places.GONE), messages, Places.LEASE)));
    }

    private static void ackTwo(Traveller on) {
        List<Ack> acks = new ArrayList<>();
        for (long offset = 0; offset < 2; offset++) {
            on.open(on.places().log(), Places.READER, offset)
                    .ifPresent(each -> acks.add(Ack.of(Traveller.receipt(each), Traveller.holder(each))));
        }
        on.ask(on.log().ackAll(acks));
    }

    private static void nack(Traveller on) {
        on.open(on.places().log(), Places.READER, 2)
                .filter(open -> open.failures() == 0)
                .ifPresent(open -> on.ask(on.log()
                        .nack(
                                new Nack(Traveller.receipt(open), Traveller.holder(open), "not now"),
                                Retry.immediately(5))));
    }

    private static void handOutReader(Traveller on) {
        on.ask(on.log()
                .handOut(
                        1,
                        Places.LEASE,
                        due -> due.subscriber().equals(Places.READER)
                                ? Optional.of(Places.RECEIVER)
                                : Optional.empty()));
    }

    private static void giveUp(Traveller on, long offset) {
        on.open(on.places().log(), Places.READER, offset)
                .ifPresent(open -> on.ask(on.log().deadLetter(Traveller.receipt(open), "nobody wants it")));
    }

    private static void openPop(Traveller on) {
        Incoming message = Incoming.of(7, Bytes.utf8("message"), Attributes.NONE)
                .to(Places.FIRST, Places.RECEIVER)
                .to(Places.SECOND, Places.RECEIVER)
                .brokerHandle(Bytes.utf8("handle"), Duration.ofHours(1));
        on.ask(on.pop().open(OpenBatch.unordered(List.of(message), Places.LEASE)));
    }

    private static void ackPop(Traveller on, Subscriber subscriber) {
        on.open(on.places().pop(), subscriber, 7)
                .ifPresent(open -> on.ask(on.pop().ack(Ack.of(Traveller.receipt(open), Traveller.holder(open)))));
    }

    private static void confirm(Traveller on) {
        List<FanOut> completed = on.ask(on.pop().completed(10));
        on.ask(on.pop().confirm(completed));
    }

    private static void bind(Traveller on) {
        on.ask(on.agent().heartbeat(true, 1));
        for (String session : List.of("bound-1", "bound-2")) {
            Agent agent =
                    on.ask(on.stores().sessions().find(on.places().agent())).orElseThrow();
            on.ask(on.stores().sessions().bind(agent, on.places().session(session)));
        }
        on.ask(on.stores().sessions().unbind(on.places().session("bound-2")));
    }

    private static Task task(Traveller on, TaskId id) {
        return on.ask(on.stores().tasks().find(id)).orElseThrow(() -> new AssertionError(id + " is gone"));
    }

    private static void move(Traveller on, int number, TaskState to, String output) {
        Task task = task(on, on.places().task(number));
        if (task.state() != to && !task.state().isFinal()) {
            TaskChange change =
                    output.isEmpty() ? TaskChange.to(to) : TaskChange.to(to).output(Bytes.utf8(output));
            on.ask(on.task(task.id()).move(task, change));
        }
    }

    private static void cancel(Traveller on) {
        Task task = task(on, on.places().task(2));
        on.ask(on.stores().tasks().cancel(task.id(), task.version(), "no more"));
    }

    private static void handOutTasks(Traveller on) {
        on.ask(on.log()
                .handOut(
                        10,
                        Places.LEASE,
                        due -> due.task().isPresent() ? Optional.of(Places.RECEIVER) : Optional.empty()));
    }

    private static void ackTasks(Traveller on) {
        for (Delivery carrier : on.open(on.places().log(), Places.QUEUE)) {
            on.ask(on.log().ack(Ack.of(Traveller.receipt(carrier), Traveller.holder(carrier))));
        }
    }
}
