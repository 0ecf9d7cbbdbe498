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
import java.util.List;
import org.apache.eventmesh.state.id.Partition;

/**
 * A broker that gives each message for a time in which nobody else sees it, and again when it was not acknowledged by
 * then: RocketMQ's POP.
 */
public interface PopBroker {
    /**
     * Takes messages, each under a new handle.
     *
     * @param invisible for so long they are not given again
     */
    List<Popped> pop(Partition partition, int most, Duration invisible);

    /**
     * A message is done.
     *
     * @return {@code false} when the handle is out of date: the message is given again under another one
     */
    boolean acknowledge(Partition partition, String handle);

    /**
     * One message, for a time.
     *
     * @param handle what the broker wants back
     */
    record Popped(BrokerMessage message, String handle) {}
}
