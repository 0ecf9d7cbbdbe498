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
package org.apache.eventmesh.state.etcd.container;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The server images that the tests in containers run on, each of them all of them. */
final class EtcdImages {
    /** etcd's own. */
    private static final String OFFICIAL = "quay.io/coreos/etcd:v3.5.21,quay.io/coreos/etcd:v3.6.5";

    private EtcdImages() {}

    /** Those of {@code -Detcd.images=…}, separated by commas, or the official ones of 3.5 and 3.6. */
    static List<String> all() {
        String named = Optional.ofNullable(System.getProperty("etcd.images"))
                .filter(images -> !images.isBlank())
                .orElse(OFFICIAL);
        return Arrays.stream(named.split(",", -1))
                .map(String::strip)
                .filter(image -> !image.isEmpty())
                .toList();
    }
}
