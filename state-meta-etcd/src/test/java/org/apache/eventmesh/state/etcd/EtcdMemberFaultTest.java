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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdFixture;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.tck.history.FaultTck;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.junit.jupiter.api.AfterAll;

/** Random faults on a single member of its own, which is away whenever it is harmed. */
class EtcdMemberFaultTest extends FaultTck {
    private static final EtcdCluster CLUSTER = EtcdCluster.start(1, EtcdOptions.PLAIN);

    /** A sample; {@code tools/soak etcd} runs the long form. */
    @Override
    public Duration length() {
        return Duration.ofSeconds(15);
    }

    @Override
    protected StoreFixture fixture() {
        return new EtcdFixture(CLUSTER);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }
}
