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
package org.apache.eventmesh.consumer;

import org.apache.eventmesh.state.dispatcher.backend.RocksFixture;
import org.apache.eventmesh.state.tck.StateStoreTck;
import org.apache.eventmesh.state.tck.kit.RunsOn;
import org.apache.eventmesh.state.tck.kit.StoreFixture;

@RunsOn(value = "rocksdb, from outside", by = "tools/consumer/run")
class RocksStateStoreTest extends StateStoreTck {
    @Override
    protected StoreFixture fixture() {
        return new RocksFixture();
    }
}
