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
package org.apache.eventmesh.state.offset;

import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;

/** Which progress to list. */
public sealed interface ProgressFilter {
    /** Of all subscribers in all partitions of a topic. */
    record OfTopic(String topic) implements ProgressFilter {
        public OfTopic {
            Check.identifier("topic", topic);
        }
    }

    /** Of one subscriber in all partitions. */
    record OfSubscriber(Subscriber subscriber) implements ProgressFilter {
        public OfSubscriber {
            Check.given("subscriber", subscriber);
        }
    }

    static ProgressFilter topic(String topic) {
        return new OfTopic(topic);
    }

    static ProgressFilter subscriber(Subscriber subscriber) {
        return new OfSubscriber(subscriber);
    }
}
