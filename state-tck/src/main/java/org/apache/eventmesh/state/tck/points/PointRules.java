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

import java.util.Map;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every commit of a way through all six stores is a point at which the process may be killed: before it is applied, and
 * after it was applied and before anybody heard of it. At each the rules between the stores hold, and whoever takes over
 * and goes on comes to the same end.
 */
public interface PointRules extends Rules {
    /** So many there were when this was written. Fewer would mean that something is not looked at any more. */
    int FEWEST_POINTS = 42;

    /**
     * At every point the process is killed after its commit. At every so many it is killed before it too, which leaves
     * what the commit before it left, and there the store is opened anew, where at the others somebody else has it open all
     * the time. {@code -Dpoints.thorough=1} does all that at each.
     */
    int THOROUGH = Integer.getInteger("points.thorough", 6);

    @Test
    @OneBackend
    @Timeout(180)
    default void required_X01_a_crash_at_every_commit_of_a_way_through_all_stores_is_survived() {
        // one that is not durable lives as long as somebody has it open
        Instance witness = open("witness-0");
        Places undisturbed = new Places("undisturbed");
        Instance first = open("undisturbed");
        new Journey(undisturbed).on(first);
        long points = first.commits();
        Facts facts = new Facts(undisturbed, first.stores());
        facts.checkRules();
        Map<String, Object> end = facts.comparable();
        first.close();

        LoggerFactory.getLogger(PointRules.class)
                .info("{} commits on the way through all stores, each a point to be killed at", points);
        assertThat(points).as("points").isGreaterThanOrEqualTo(FEWEST_POINTS);
        for (int point = 1; point <= points; point++) {
            boolean thorough = point % THOROUGH == 0;
            if (thorough && kit().has(Capability.DURABLE)) {
                witness.close();
            }
            dieAt(point, true, end);
            if (thorough) {
                dieAt(point, false, end);
                witness = open("witness-" + point);
            }
        }
        witness.close();
    }

    private void dieAt(int point, boolean applied, Map<String, Object> end) {
        Places places = new Places((applied ? "after-" : "before-") + point);
        Journey journey = new Journey(places);
        Instance killed = open(places.name());
        killed.dieAtCommit(point, applied);
        try {
            journey.on(killed);
            throw new AssertionError("nobody died at commit " + point + ": there were fewer this time");
        } catch (Died expected) {
            killed.crash();
        }
        Instance successor = open(places.name() + "-successor");
        try {
            new Facts(places, successor.stores()).checkRules();
            journey.on(successor);
            Facts now = new Facts(places, successor.stores());
            now.checkRules();
            assertThat(now.comparable()).as("the end").isEqualTo(end);
            now.checkOwner(get(successor.stores().deliveries().takeOver(successor.member(), places.log())));
        } catch (AssertionError broken) {
            throw new AssertionError(
                    "killed " + (applied ? "after" : "before") + " commit " + point + ", before " + journey.where(),
                    broken);
        }
        successor.close();
    }
}
