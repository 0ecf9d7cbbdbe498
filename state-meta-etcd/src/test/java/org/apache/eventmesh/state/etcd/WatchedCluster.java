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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.etcd.jetcd.JetcdClient;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;

/** Watches through the proxies of a cluster, and a writer that no fault between them reaches. */
final class WatchedCluster implements AutoCloseable {
    /** Every key of a test. */
    static final KeyRange ALL = new KeyRange(Bytes.EMPTY, Bytes.of((byte) 0xff));

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final EtcdClient watching;
    private final EtcdClient writing;
    private final KeySpace keys = new KeySpace("/watched" + NUMBER.incrementAndGet() + "/");
    private final EtcdWatches watches;

    WatchedCluster(EtcdCluster cluster) {
        watching = client(cluster.endpoints());
        writing = client(cluster.member().direct().replaceFirst("^.*//", ""));
        watches = new EtcdWatches(watching, keys, "etcd://" + cluster.endpoints(), header -> true);
    }

    static EtcdClient client(String endpoints) {
        List<Endpoint> all = Arrays.stream(endpoints.split(",", -1))
                .map(each -> each.split(":", -1))
                .map(parts -> new Endpoint(parts[0], Integer.parseInt(parts[1])))
                .toList();
        return JetcdClient.connect(
                new ClientSettings("etcd://" + endpoints, all, Optional.empty(), Optional.empty(), 64 << 20));
    }

    EtcdWatches watches() {
        return watches;
    }

    /** The revision. */
    long put(String key, Bytes value) {
        return write(Step.put(keys.stored(Bytes.utf8(key)), value));
    }

    long put(String key, String value) {
        return put(key, Bytes.utf8(value));
    }

    long delete(String key) {
        return write(new Step.Delete(keys.stored(Bytes.utf8(key))));
    }

    /** Of a key that no watch of this test sees. */
    long putElsewhere() {
        return write(Step.put(Bytes.utf8("elsewhere"), Bytes.utf8("1")));
    }

    long write(Step... steps) {
        TxnAnswer answer = Stages.get(writing.transact(new Txn(List.of(), List.of(steps), List.of()), DEADLINE));
        return answer.revision();
    }

    Step step(String key, Bytes value) {
        return Step.put(keys.stored(Bytes.utf8(key)), value);
    }

    @Override
    public void close() {
        watches.close();
        watching.close();
        writing.close();
    }
}
