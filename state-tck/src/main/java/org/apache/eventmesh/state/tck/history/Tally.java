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

import org.apache.eventmesh.state.tck.kit.Figures;

/**
 * How many calls were recorded, how many of them nobody knows the answer of, and how often a thing got another owner.
 */
record Tally(long calls, long unknown, long takeovers) {
    static final Tally NONE = new Tally(0, 0, 0);

    Tally plus(Tally other) {
        return new Tally(calls + other.calls, unknown + other.unknown, takeovers + other.takeovers);
    }

    void addTo(Figures figures) {
        figures.add("calls", calls);
        figures.add("unknown", unknown);
        figures.add("takeovers", takeovers);
    }
}
