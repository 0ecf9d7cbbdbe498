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
package org.apache.eventmesh.state.id;

import org.apache.eventmesh.state.internal.Check;

/**
 * Message and subscriber: the same message is given up at most once for each.
 *
 * <p>The delivery of a task has no offset of the broker, and two tasks in one queue are two messages: their dead letters
 * stand behind all offsets that a broker can give, at 2<sup>62</sup> plus the number of the delivery.
 *
 * @param offset of the broker's message, or beyond 2<sup>62</sup> that of a task's delivery; not negative
 */
public record DeadLetterId(Partition partition, long offset, Subscriber subscriber) {
    public DeadLetterId {
        Check.given("partition", partition);
        Check.given("subscriber", subscriber);
        Check.notNegative("offset", offset);
    }
}
