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
package org.apache.eventmesh.state;

import java.util.Map;
import org.apache.eventmesh.state.internal.Check;

/**
 * The second backend of a store set, which many runtimes share: it holds ownership, subscriptions, sessions, dead letters
 * and tasks, and the first one, private to its host, holds offsets and deliveries.
 *
 * @param uri where: scheme and place, never a secret
 * @param options the backend's own settings by name; may hold secrets, which no message and no log line shows
 */
public record SharedBackend(String uri, Map<String, String> options) {
    public SharedBackend {
        Check.given("the address (uri)", uri);
        Check.that(
                uri.indexOf(':') > 0,
                "address \"%s\" of the shared backend has no scheme; give one such as etcd://host:2379/em",
                uri);
        options = Check.entries("options", options);
    }

    /** Never prints an option's value: it may be a secret. */
    @Override
    public String toString() {
        return "SharedBackend[" + uri + ", options " + options.keySet() + "]";
    }
}
