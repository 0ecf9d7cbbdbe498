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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all lanes of an engine work with.
 *
 * @param timer one thread, for what is tried again later
 * @param callDeadline of one transaction
 */
record Writing(
        EtcdClient client,
        KeySpace keys,
        Availability availability,
        CommitLine line,
        Slots slots,
        ScheduledExecutorService timer,
        Duration callDeadline) {
    private static final Logger LOG = LoggerFactory.getLogger(Writing.class);

    String name() {
        return availability.backend();
    }

    /** Waits for an answer without holding a thread. */
    <T> void ask(CompletionStage<T> call, Consumer<T> answered, Consumer<EtcdCallException> failed) {
        call.whenComplete((answer, failure) -> {
            try {
                if (failure == null) {
                    answered.accept(answer);
                } else {
                    failed.accept(Explained.call(failure));
                }
            } catch (RuntimeException | Error e) {
                // the stages concerned stay open: nobody is told what is not known
                LOG.error("{}: a bug or a lack of memory where an answer was taken", name(), e);
                throw e;
            }
        });
    }

    void later(long millis, Runnable work) {
        try {
            var unused = timer.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: closed, nothing is tried again", name(), e);
        }
    }

    /**
     * Lets commits go out once more that certainly were not applied, as far as there is time.
     *
     * @param why they were not applied
     */
    void sendAgain(List<Pending> commits, String why) {
        if (availability.hasStopped()) {
            StateStoreException stopped = availability.refusal();
            commits.forEach(commit -> commit.fail(stopped));
            return;
        }
        List<Pending> again = new ArrayList<>();
        List<Pending> ended = new ArrayList<>();
        for (Pending commit : commits) {
            (commit.inTime() && availability.patient() ? again : ended).add(commit);
        }
        if (!again.isEmpty() && !line.comeBack(again)) {
            again.forEach(commit -> commit.fail(availability.refusal()));
        }
        for (Pending commit : ended) {
            commit.fail(new StoreUnavailableException("write to " + name() + ": " + why
                    + "; it was not applied and will not be. Look whether a majority of etcd's members runs and the"
                    + " network between is up, then try again"));
        }
        line.pump();
    }
}
