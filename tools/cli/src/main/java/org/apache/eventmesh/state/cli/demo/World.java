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
package org.apache.eventmesh.state.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Everything around the dispatcher, on one thread: it serves polls, takes deliveries, and pulls the plug once. */
final class World {
    /** Nacks after which a delivery is given up. */
    static final int FAILURES = 3;

    private static final double KILL_AT = 0.4;
    private static final long SILENCE_SECONDS = 60;

    private final Ledger ledger;
    private final Broker broker;
    private final Clients clients;
    private final Path state;
    private final PrintStream progress;
    private DispatcherProcess dispatcher;
    private boolean killed;
    private int reported;
    private Standing standing = new Standing(0, 0, 0);
    private long since = System.nanoTime();
    private boolean done;

    World(List<Event> events, Path state, PrintStream progress) throws IOException {
        Map<String, Set<Long>> failing = events.stream()
                .collect(Collectors.groupingBy(
                        Event::topic,
                        Collectors.filtering(Event::failing, Collectors.mapping(Event::offset, Collectors.toSet()))));
        this.ledger = new Ledger(events, FAILURES);
        this.broker = new Broker(events, ledger);
        this.state = state;
        this.progress = progress;
        this.dispatcher = start();
        this.clients = new Clients(failing, ledger, dispatcher::send);
    }

    /** What has to change for the run to come to an end. */
    private record Standing(int settled, int forgotten, long open) {}

    /** Runs until all is done, or nothing has moved for a minute; the books say what became of it. */
    Ledger run() throws IOException, InterruptedException {
        clients.connect(dispatcher::send);
        while (!done) {
            Wire wire = dispatcher.out().poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (wire == null || wire.equals(DispatcherProcess.ENDED)) {
                return givenUp("the dispatcher " + (wire == null ? "has been silent for a minute" : "ended by itself"));
            }
            handle(wire);
            if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
                return givenUp("nothing has moved for a minute, and the dispatcher says that " + standing.open()
                        + " deliveries are open");
            }
            if (!killed && ledger.settled() >= ledger.size() * KILL_AT) {
                killInTheMiddle();
            }
        }
        dispatcher.stop();
        return ledger;
    }

    private Ledger givenUp(String why) {
        progress.println(why);
        ledger.unfinished(why);
        dispatcher.kill();
        return ledger;
    }

    private DispatcherProcess start() throws IOException {
        DispatcherProcess started = DispatcherProcess.start(state);
        progress.println("dispatcher started, process " + started.pid());
        return started;
    }

    private void killInTheMiddle() throws IOException, InterruptedException {
        killed = true;
        dispatcher.kill();
        progress.println("dispatcher " + dispatcher.pid() + " killed with SIGKILL in the middle of its work");
        // What it had said before it died still counts: the clients and the broker have heard it.
        for (Wire wire = dispatcher.out().take();
                !wire.equals(DispatcherProcess.ENDED);
                wire = dispatcher.out().take()) {
            handle(wire);
        }
        broker.dispatcherDied();
        dispatcher = start();
        clients.connect(dispatcher::send);
    }

    private void handle(Wire wire) {
        switch (wire.word()) {
            case "POLL" -> dispatcher.send(broker.poll(wire.text(0), wire.number(1)));
            case "DELIVER" ->
                clients.receive(
                        wire.text(0), wire.text(1), new Ledger.Line(wire.text(2), wire.number(3), wire.text(4)));
            case "ANSWER" -> clients.answered(wire.number(0), wire.text(1));
            case "DEAD" -> ledger.dead(new Ledger.Line(wire.text(0), wire.number(1), wire.text(2)));
            case "COMMIT" -> ledger.brokerCommitted(wire.text(0), wire.number(1));
            case "POSITION" -> ledger.position(wire.text(0), wire.text(1), wire.number(2));
            case "ACKNOWLEDGE" -> {
                broker.acknowledge(wire.number(1), wire.text(2));
                dispatcher.send(Wire.of("ACKNOWLEDGED", wire.number(0)));
            }
            case "IDLE" -> idle(wire.number(0));
            default -> throw new IllegalStateException("the dispatcher said " + wire);
        }
        report();
    }

    /** The dispatcher has nothing to hand out: whoever held back its ack gives it now. */
    private void idle(long open) {
        clients.ackLate(0);
        Standing now = new Standing(ledger.settled(), ledger.forgotten(), open);
        if (!now.equals(standing)) {
            standing = now;
            since = System.nanoTime();
        }
        done = killed && open == 0 && ledger.forgotten() == 0;
    }

    private void report() {
        int settled = ledger.settled();
        int step = Math.max(1, ledger.size() / 10);
        if (settled >= reported + step || (settled == ledger.size() && reported < settled)) {
            reported = settled;
            progress.println("  " + settled + " of " + ledger.size() + " deliveries settled");
        }
    }
}
