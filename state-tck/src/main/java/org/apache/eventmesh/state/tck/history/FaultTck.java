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

import org.apache.eventmesh.state.tck.kit.StoreTest;

/**
 * What a backend keeps to while its servers and its users are harmed at random, in the time of the machine. A backend
 * author writes one class, whose fixture offers what can be done to its servers
 * ({@link org.apache.eventmesh.state.tck.kit.StoreFixture#disturbances}); they must not be those of other tests that run
 * at the same time.
 */
public abstract class FaultTck extends StoreTest implements FaultRules {}
