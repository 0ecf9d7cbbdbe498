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
package org.apache.eventmesh.state.core.record;

import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.proto.BindingRecord;
import org.apache.eventmesh.state.core.proto.CounterRecord;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.FanOutRecord;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.proto.HomeRecord;
import org.apache.eventmesh.state.core.proto.MarkByMessageRecord;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.proto.MemberRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.proto.MetaRecord;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.SessionRecord;
import org.apache.eventmesh.state.core.proto.ShardRecord;
import org.apache.eventmesh.state.core.proto.SubscriptionRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.value.Bytes;

/** Which record stands in which table. Tables that are not here are indexes: their values are {@link #NOTHING}. */
public final class Records {
    /** The value of an index key. */
    public static final Bytes NOTHING = Bytes.EMPTY;

    public static final Codec<MetaRecord> META = new Codec<>(Table.META, MetaRecord.parser());
    public static final Codec<CounterRecord> COUNTER = new Codec<>(Table.COUNTER, CounterRecord.parser());
    public static final Codec<HolderRecord> HOLDER = new Codec<>(Table.HOLDER, HolderRecord.parser());
    public static final Codec<MemberRecord> MEMBER = new Codec<>(Table.MEMBER, MemberRecord.parser());

    public static final Codec<HomeRecord> SHARD_HOME = new Codec<>(Table.SHARD_HOME, HomeRecord.parser());

    public static final Codec<PublishedRecord> PUBLISHED = new Codec<>(Table.PUBLISHED, PublishedRecord.parser());

    public static final Codec<ProgressRecord> PROGRESS = new Codec<>(Table.PROGRESS, ProgressRecord.parser());

    public static final Codec<SubscriptionRecord> SUBSCRIPTION =
            new Codec<>(Table.SUBSCRIPTION, SubscriptionRecord.parser());

    public static final Codec<AgentRecord> AGENT = new Codec<>(Table.AGENT, AgentRecord.parser());
    public static final Codec<AgentLeaseRecord> AGENT_LEASE = new Codec<>(Table.AGENT_LEASE, AgentLeaseRecord.parser());
    public static final Codec<BindingRecord> BINDING = new Codec<>(Table.BINDING, BindingRecord.parser());
    public static final Codec<SessionRecord> SESSION = new Codec<>(Table.SESSION, SessionRecord.parser());

    public static final Codec<DeadLetterRecord> DEAD_LETTER = new Codec<>(Table.DEAD_LETTER, DeadLetterRecord.parser());
    public static final Codec<ReplayRecord> REPLAY = new Codec<>(Table.REPLAY, ReplayRecord.parser());

    public static final Codec<TaskRecord> TASK = new Codec<>(Table.TASK, TaskRecord.parser());

    public static final Codec<ShardRecord> SHARD = new Codec<>(Table.SHARD, ShardRecord.parser());
    public static final Codec<DeliveryRecord> DELIVERY = new Codec<>(Table.DELIVERY, DeliveryRecord.parser());
    public static final Codec<MessageRecord> MESSAGE = new Codec<>(Table.MESSAGE, MessageRecord.parser());
    public static final Codec<FanOutRecord> FAN_OUT = new Codec<>(Table.FAN_OUT, FanOutRecord.parser());
    public static final Codec<MarkRecord> MARK = new Codec<>(Table.MARK, MarkRecord.parser());
    public static final Codec<MarkByMessageRecord> MARK_BY_MESSAGE =
            new Codec<>(Table.MARK_BY_MESSAGE, MarkByMessageRecord.parser());
    public static final Codec<OutstandingRecord> OUTSTANDING =
            new Codec<>(Table.OUTSTANDING, OutstandingRecord.parser());

    private Records() {}
}
