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
package org.apache.eventmesh.state.tck.kit;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/** The store sets of one test on one backend, and the time they live in. */
public final class StoreKit implements AutoCloseable {
    /** Of every operation, by the ticker. */
    public static final Duration DEADLINE = Duration.ofSeconds(10);

    /** A library looks at the ticker now and then. */
    private static final Duration TOLERANCE = Duration.ofMillis(100);

    private final StoreFixture fixture;
    private final TestTime time = new TestTime(this::settle);
    private final Optional<ServerLeases> serverLeases;
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private final TestFolder folder = new TestFolder();

    public StoreKit(StoreFixture fixture) {
        this.fixture = fixture;
        this.serverLeases = fixture.serverTime().map(server -> new ServerLeases(server, time.ticker()));
    }

    private void settle() {
        serverLeases.ifPresent(ServerLeases::settle);
    }

    public StoreFixture fixture() {
        return fixture;
    }

    public TestTime time() {
        return time;
    }

    public boolean has(Capability capability) {
        return capabilities().contains(capability);
    }

    /** Of two backends: what both have. */
    private Set<Capability> capabilities() {
        Set<Capability> all = new HashSet<>(fixture.provider().capabilities());
        fixture.shared().ifPresent(shared -> all.retainAll(shared.provider().capabilities()));
        return all;
    }

    /** The addresses of the backends: of the local one first, where there are two. */
    public String[] uris() {
        return fixture.shared()
                .map(shared -> new String[] {fixture.uri(), shared.uri()})
                .orElseGet(() -> new String[] {fixture.uri()});
    }

    /** Whether store sets are opened over two backends. */
    public boolean two() {
        return fixture.shared().isPresent();
    }

    /** Opens a store set on the place of the test; the second is a peer of the first. */
    public Instance open(String name) {
        return open(name, settings -> settings);
    }

    public Instance open(String name, UnaryOperator<StoreSettingsBuilder> settings) {
        return open(name, 0, settings);
    }

    /** Opens on another host: in a set of two backends it has a local place of its own. */
    public Instance open(String name, int host) {
        return open(name, host, settings -> settings);
    }

    /** Opens on another host, with other settings. */
    public Instance open(String name, int host, UnaryOperator<StoreSettingsBuilder> settings) {
        Events events = new Events();
        StoreSettings opened = settings.apply(settings(events, host)).build();
        Opening opening = new Opening(name, fixture.host(host).provider(), opened, events, this::inTestTime);
        return open(opening);
    }

    /**
     * Opens in the time of the machine, as runtimes do: where servers are harmed, which know no other. Nothing that moves
     * the time of the test is for such an instance.
     */
    public Instance openInRealTime(String name, Duration deadline) {
        Events events = new Events();
        StoreSettings opened = settings(events, 0)
                .deadline(deadline)
                .clock(InstantSource.system())
                .ticker(System::nanoTime)
                .build();
        return open(new Opening(name, fixture.provider(), opened, events, engine -> engine));
    }

    /** A path at which nothing is, for a checkpoint; what is written there goes with the test. */
    public Path newPath() {
        return folder.newPath();
    }

    /** Opens what a checkpoint was written to, of a place of one backend, as whoever restores it does. */
    public Instance openRestored(String name, Path checkpoint) {
        Events events = new Events();
        StoreSettings opened =
                settings(events, fixture, fixture.restored(checkpoint)).build();
        return open(new Opening(name, fixture.provider(), opened, events, this::inTestTime));
    }

    private Instance open(Opening opening) {
        // a long test opens many, one after the other
        instances.removeIf(Instance::isClosed);
        Instance instance = fixture.shared()
                .map(shared -> opening.over(shared.provider(), capabilities()))
                .orElseGet(opening::alone);
        instances.add(instance);
        return instance;
    }

    private Engine inTestTime(Engine engine) {
        return serverLeases.isPresent() ? new ServerLeasesEngine(engine, serverLeases.get()) : engine;
    }

    /** What the kit opens with. */
    public StoreSettingsBuilder settings(Events events) {
        return settings(events, 0);
    }

    private StoreSettingsBuilder settings(Events events, int host) {
        StoreFixture place = fixture.host(host);
        return settings(events, place, place.uri());
    }

    private StoreSettingsBuilder settings(Events events, StoreFixture place, String uri) {
        StoreSettingsBuilder settings = StoreSettings.builder(uri)
                .deadline(DEADLINE)
                .clock(time.clock())
                .ticker(time.ticker())
                .listener(events);
        place.options().forEach(settings::option);
        fixture.shared().ifPresent(shared -> {
            settings.shared(shared.uri());
            shared.options().forEach(settings::sharedOption);
        });
        return has(Capability.DURABLE) ? settings : settings.development();
    }

    /**
     * Lets time pass for everybody. It moves in steps that are short against the lease of a member, and after each of
     * them every instance that is alive and not paused has renewed: as it is when time really passes.
     */
    public void passTime(Duration length) {
        Duration step = Instance.LEASE.dividedBy(6);
        for (Duration left = length; !left.isZero(); ) {
            Duration now = left.compareTo(step) < 0 ? left : step;
            time.move(now);
            instances.forEach(Instance::renew);
            left = left.minus(now);
        }
        // whatever ran out on the way, at once: a server takes its time for each
        settle();
    }

    /** Moves time just beyond the deadline of what was called before. No lease of a member ends by that, however often. */
    public void passDeadline() {
        time.pass(DEADLINE.plus(TOLERANCE));
        instances.forEach(Instance::renew);
    }

    /** A failure as a backend gives it that is away. */
    public static StoreUnavailableException away(String asked) {
        return new StoreUnavailableException(asked + " of the backend, which is cut off by this test; try again later");
    }

    /** The records below the stores; keeps the place open until it is closed. */
    public Below below() {
        StoreSettings opened = settings(new Events()).build();
        Engine engine = Opening.engine(fixture.provider(), opened.uri(), opened.options(), opened);
        return fixture.shared()
                .map(shared ->
                        new Below(engine, Opening.engine(shared.provider(), shared.uri(), shared.options(), opened)))
                .orElseGet(() -> new Below(engine, engine));
    }

    @Override
    public void close() {
        // the last opened first, and one that cannot close must not keep the others open
        for (int i = instances.size() - 1; i >= 0; i--) {
            instances.get(i).bury();
        }
        serverLeases.ifPresent(ServerLeases::close);
        fixture.close();
        folder.close();
    }
}
