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
package org.apache.eventmesh.state.tck.contract;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.subscription.SubscriptionListener;

/** What a listener can know of the registrations: the events in order, and what they add up to. */
class Mirror implements SubscriptionListener {
    /** {@code + client topic}, {@code - client topic}, {@code = number} for a resynchronisation. */
    private final List<String> heard = new ArrayList<>();

    private final Set<Subscription> now = new HashSet<>();

    @Override
    public synchronized void resynchronised(List<Subscription> all) {
        heard.add("= " + all.size());
        now.clear();
        now.addAll(all);
    }

    /** What a test does instead of listening, or before it. */
    void beforeAdded(Subscription now) {}

    @Override
    public void added(Subscription now) {
        beforeAdded(now);
        add(now);
    }

    private synchronized void add(Subscription subscription) {
        heard.add("+ " + text(subscription));
        now.removeIf(was -> text(was).equals(text(subscription)));
        now.add(subscription);
    }

    @Override
    public synchronized void removed(Subscription was) {
        heard.add("- " + text(was));
        if (!now.removeIf(one -> text(one).equals(text(was)))) {
            heard.add("? it was not there");
        }
    }

    static String text(Subscription subscription) {
        return subscription.receiver().client().value() + " "
                + subscription.interest().topic();
    }

    synchronized List<String> heard() {
        return List.copyOf(heard);
    }

    synchronized Set<Subscription> now() {
        return Set.copyOf(now);
    }

    synchronized long resynchronisations() {
        return heard.stream().filter(event -> event.startsWith("=")).count();
    }

    /** All registrations, from the backend. */
    static Set<Subscription> stored(StateStores stores) {
        Set<Subscription> all = new HashSet<>();
        for (String topic : Listing.all(100, page -> stores.subscriptions().topics(page))) {
            all.addAll(Listing.all(100, page -> stores.subscriptions().list(SubscriptionFilter.topic(topic), page)));
        }
        return all;
    }
}
