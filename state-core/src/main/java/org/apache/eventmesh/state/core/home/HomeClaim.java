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
package org.apache.eventmesh.state.core.home;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.owner.ClaimStep;
import org.apache.eventmesh.state.core.proto.HomeRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** Notes, in the commit of a claim, which host owns the shard, and since which epoch no other did. For one claim. */
final class HomeClaim implements ClaimStep<Partition> {
    private final String host;
    private final Bytes key;

    /** As the last decision left it, which is the one that was committed. */
    private volatile long since;

    HomeClaim(String host, Partition partition) {
        this.host = host;
        this.key = HomeKeys.home(partition);
    }

    /** The first epoch of this host since another owned the shard; after the claim. */
    long since() {
        return since;
    }

    @Override
    public Collection<Bytes> keys() {
        return List.of(key);
    }

    @Override
    public void claimed(Token<Partition> token, Seen seen, Draft draft) {
        Optional<HomeRecord> former = home(seen);
        since = former.map(HomeRecord::getEpoch).orElse(token.epoch());
        // also where it stays: whether this host keeps its state hangs on it
        draft.condition(seen.unchanged(key));
        if (former.isEmpty()) {
            HomeRecord record = HomeRecord.newBuilder()
                    .setHost(host)
                    .setEpoch(token.epoch())
                    .build();
            draft.change(Records.SHARD_HOME.put(key, record));
        }
    }

    @Override
    public void repeated(Token<Partition> token, Seen seen, Draft draft) {
        since = home(seen).map(HomeRecord::getEpoch).orElse(token.epoch());
    }

    /** Empty when another host owned it last. */
    private Optional<HomeRecord> home(Seen seen) {
        return seen.get(Records.SHARD_HOME, key)
                .map(Stored::record)
                .filter(record -> record.getHost().equals(host));
    }
}
