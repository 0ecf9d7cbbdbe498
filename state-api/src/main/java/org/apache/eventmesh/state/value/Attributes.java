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
package org.apache.eventmesh.state.value;

import java.util.Map;
import org.apache.eventmesh.state.internal.Check;

/**
 * The caller's own facts (principal, trace context, tenant): kept unchanged, never interpreted.
 *
 * @param values names are identifiers, values any well-formed text
 */
public record Attributes(Map<String, String> values) {
    public static final Attributes NONE = new Attributes(Map.of());

    public Attributes {
        values = Check.entries("values", values);
        values.forEach((name, value) -> {
            Check.identifier("attribute name", name);
            Check.text("attribute " + name, value);
        });
    }

    public static Attributes of(String name, String value) {
        return new Attributes(Map.of(name, value));
    }
}
