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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;

/** Finds out which lease it was when etcd says that one was not there: one that the commit names, or that of the slots. */
final class EndedLeaseSearch {
    private final Writing writing;
    private final Lane lane;
    private final Group group;
    private final EtcdCallException failure;
    private final Iterator<Long> named;

    /**
     * @param group a single commit that etcd refused for this reason
     */
    EndedLeaseSearch(Writing writing, Lane lane, Group group, EtcdCallException failure) {
        this.writing = writing;
        this.lane = lane;
        this.group = group;
        this.failure = failure;
        Set<Long> leases = new LinkedHashSet<>();
        for (Change change : group.members().get(0).commit().changes()) {
            if (change instanceof Change.Put put && put.lease().isPresent()) {
                leases.add(put.lease().getAsLong());
            }
        }
        this.named = new ArrayList<>(leases).iterator();
    }

    void next() {
        boolean ofSlots = !named.hasNext();
        long lease = ofSlots ? lane.slot().session().lease() : named.next();
        writing.ask(
                writing.client().timeToLive(lease, writing.callDeadline()),
                left -> {
                    if (left == 0 && ofSlots) {
                        lane.lostSlot(group);
                    } else if (left == 0) {
                        lane.over(group, new CommitResult.LeaseEnded(lease));
                    } else if (ofSlots) {
                        // it ended, and was there again: another member answered from before. Ask once more.
                        lane.again(group, "a lease that it names had ended");
                    } else {
                        next();
                    }
                },
                unanswered -> {
                    writing.availability().failed(unanswered);
                    lane.over(group, Explained.notApplied(failure));
                });
    }
}
