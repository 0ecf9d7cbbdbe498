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

/** The tests that a backend must pass. */
module org.apache.eventmesh.state.tck {
    requires transitive org.apache.eventmesh.state.api;
    requires transitive org.apache.eventmesh.state.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires transitive org.assertj.core;
    requires org.slf4j;
    requires static org.jspecify;

    exports org.apache.eventmesh.state.tck;
    exports org.apache.eventmesh.state.tck.contract;
    exports org.apache.eventmesh.state.tck.crash;
    exports org.apache.eventmesh.state.tck.engine;
    exports org.apache.eventmesh.state.tck.fault;
    exports org.apache.eventmesh.state.tck.history;
    exports org.apache.eventmesh.state.tck.kit;
    exports org.apache.eventmesh.state.tck.model;
    exports org.apache.eventmesh.state.tck.points;

    opens org.apache.eventmesh.state.tck.contract;
    opens org.apache.eventmesh.state.tck.crash;
    opens org.apache.eventmesh.state.tck.history;
    opens org.apache.eventmesh.state.tck.kit;
    opens org.apache.eventmesh.state.tck.model;
    opens org.apache.eventmesh.state.tck.points;
}
