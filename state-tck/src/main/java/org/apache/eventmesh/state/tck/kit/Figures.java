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

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a random test counts, and logs as one line that a script can add up. Safe for any number of threads. */
public final class Figures {
    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);

    private final Map<String, Long> numbers = new TreeMap<>();

    /** Counts something. */
    public synchronized void add(String what, long number) {
        numbers.merge(what.replace(' ', '-'), number, Long::sum);
    }

    /** How often it was counted. */
    public synchronized long get(String what) {
        return numbers.getOrDefault(what.replace(' ', '-'), 0L);
    }

    /** Logs {@code figures of TEST: name=number …}. */
    public synchronized void log(Object test) {
        LOG.info(
                "figures of {}: {}",
                test.getClass().getSimpleName(),
                numbers.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(" ")));
    }
}
