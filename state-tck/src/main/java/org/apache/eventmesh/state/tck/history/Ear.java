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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionListener;

/**
 * What a listener can know of the registrations of a run, each of which has a filter of its own. Safe for any number of
 * threads.
 */
final class Ear implements SubscriptionListener {
    /** What a registration is replaced by. */
    private record Place(String client, String topic) {
        static Place of(Subscription subscription) {
            return new Place(
                    subscription.receiver().client().value(),
                    subscription.interest().topic());
        }
    }

    private final String prefix;
    private final Map<Place, Subscription> now = new HashMap<>();
    private final Set<String> filters = new HashSet<>();
    private final List<String> wrong = new ArrayList<>();
    private long snapshots;

    /** @param prefix of the topics that it is about */
    Ear(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public synchronized void resynchronised(List<Subscription> all) {
        now.clear();
        snapshots++;
        for (Subscription each : all) {
            if (isOurs(each)) {
                now.put(Place.of(each), each);
                filters.add(filter(each));
            }
        }
    }

    @Override
    public synchronized void added(Subscription added) {
        if (isOurs(added)) {
            Subscription before = now.put(Place.of(added), added);
            filters.add(filter(added));
            if (snapshots == 0) {
                wrong.add("before the first snapshot: " + added);
            }
            if (added.equals(before)) {
                wrong.add("told twice: " + added);
            }
        }
    }

    @Override
    public synchronized void removed(Subscription was) {
        if (isOurs(was)) {
            Subscription before = now.remove(Place.of(was));
            if (!was.equals(before)) {
                wrong.add("removed " + was + ", where " + before + " was told");
            }
        }
    }

    private boolean isOurs(Subscription subscription) {
        return subscription.interest().topic().startsWith(prefix);
    }

    static String filter(Subscription subscription) {
        return subscription.interest().filter().orElseThrow();
    }

    synchronized Set<Subscription> now() {
        return Set.copyOf(now.values());
    }

    /** Whether a registration was ever told. */
    synchronized boolean heard(String filter) {
        return filters.contains(filter);
    }

    /** What no listener may be told. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** How often it was told everything anew; what came and went before the last of them need not have been told. */
    synchronized long snapshots() {
        return snapshots;
    }
}
