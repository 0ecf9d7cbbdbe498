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
/** The state control plane of EventMesh: the public API, on {@code java.base} alone. */
@SuppressWarnings("module") // the core is built after this module
module org.apache.eventmesh.state.api {
    requires static transitive org.jspecify;

    exports org.apache.eventmesh.state;
    exports org.apache.eventmesh.state.deadletter;
    exports org.apache.eventmesh.state.delivery;
    exports org.apache.eventmesh.state.failure;
    exports org.apache.eventmesh.state.id;
    exports org.apache.eventmesh.state.internal to
            org.apache.eventmesh.state.core;
    exports org.apache.eventmesh.state.observe;
    exports org.apache.eventmesh.state.offset;
    exports org.apache.eventmesh.state.owner;
    exports org.apache.eventmesh.state.result;
    exports org.apache.eventmesh.state.session;
    exports org.apache.eventmesh.state.subscription;
    exports org.apache.eventmesh.state.task;
    exports org.apache.eventmesh.state.value;

    uses org.apache.eventmesh.state.StateStoresProvider;
}
