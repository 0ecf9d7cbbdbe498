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
package org.apache.eventmesh.state.tck.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.failure.StateStoreException;

/** The process that is killed: waits for its parent's word, opens the place, and does what its script says. */
final class ChildMain {
    private ChildMain() {}

    /** Arguments: the script's class, then the place. */
    public static void main(String... arguments) throws Exception {
        List<String> all = List.of(arguments);
        Script script = Class.forName(all.get(0))
                .asSubclass(Script.class)
                .getDeclaredConstructor()
                .newInstance();
        Place place = Place.parse(all.subList(1, all.size()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String word = in.readLine();
        if (word == null) {
            return;
        }
        endWithTheParent(in);
        try (StateStores stores = place.open()) {
            Life.say("opened");
            script.run(new Life(stores, List.of(word.split(" ", -1))));
            Life.say("done");
            new CountDownLatch(1).await();
        } catch (StateStoreException refused) {
            Life.say("refused " + refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
    }

    private static void endWithTheParent(BufferedReader in) {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (in.readLine() != null) {}
                    } catch (IOException e) {
                        // as its end
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        watch.setDaemon(true);
        watch.start();
    }
}
