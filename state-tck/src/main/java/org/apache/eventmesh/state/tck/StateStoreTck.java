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
package org.apache.eventmesh.state.tck;

import org.apache.eventmesh.state.tck.contract.CrossStoreRules;
import org.apache.eventmesh.state.tck.contract.DeadLetterRules;
import org.apache.eventmesh.state.tck.contract.DeliveryRules;
import org.apache.eventmesh.state.tck.contract.GeneralRules;
import org.apache.eventmesh.state.tck.contract.OffsetRules;
import org.apache.eventmesh.state.tck.contract.OwnershipRules;
import org.apache.eventmesh.state.tck.contract.SessionRules;
import org.apache.eventmesh.state.tck.contract.SubscriptionRules;
import org.apache.eventmesh.state.tck.contract.TaskRules;
import org.apache.eventmesh.state.tck.history.HistoryRules;
import org.apache.eventmesh.state.tck.kit.StoreTest;
import org.apache.eventmesh.state.tck.model.ModelRules;
import org.apache.eventmesh.state.tck.points.PointRules;

/**
 * Every rule of the contract, run on a backend. A backend author writes one class:
 *
 * <pre>{@code
 * class MyEngineTest extends StateStoreTck {
 *     @Override
 *     protected StoreFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>The name of each test begins with the number of the rule that it proves: {@code -Dtest='MyEngineTest#required_E0*'}
 * runs a group. What the provider declares must pass; a test of a capability that it does not declare is skipped.
 */
public abstract class StateStoreTck extends StoreTest
        implements GeneralRules,
                OwnershipRules,
                OffsetRules,
                SubscriptionRules,
                DeliveryRules,
                DeadLetterRules,
                TaskRules,
                SessionRules,
                CrossStoreRules,
                HistoryRules,
                PointRules,
                ModelRules {}
