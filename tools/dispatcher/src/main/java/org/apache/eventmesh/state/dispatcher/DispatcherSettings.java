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
package org.apache.eventmesh.state.dispatcher;

import java.time.Duration;
import org.apache.eventmesh.state.delivery.Retry;

/**
 * How a dispatcher works.
 *
 * @param hold how long a receiver has a delivery before it is due again
 * @param retry when a nacked delivery is due again, and how many failures give it up
 * @param invisible how long a broker of {@link PopBroker} keeps to itself what it gave
 * @param most deliveries, messages or sessions at once
 */
public record DispatcherSettings(Duration hold, Retry retry, Duration invisible, int most) {
    public static final DispatcherSettings DEFAULT = new DispatcherSettings(
            Duration.ofSeconds(30),
            new Retry(3, Duration.ofSeconds(1), Duration.ofMinutes(1)),
            Duration.ofMinutes(1),
            100);

    public DispatcherSettings withRetry(Retry policy) {
        return new DispatcherSettings(hold, policy, invisible, most);
    }
}
