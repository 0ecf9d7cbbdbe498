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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.tck.kit.Eventually;

import static org.assertj.core.api.Assertions.assertThat;

/** What a watch told. */
final class HeardEvents implements WatchListener {
    private final List<WatchEvent.Changed> changed = new CopyOnWriteArrayList<>();
    private volatile long reached;
    private volatile String lost = "";

    @Override
    public void on(WatchEvent event) {
        if (event instanceof WatchEvent.Changed change) {
            assertThat(change.revision())
                    .as("a change of what was said to be told")
                    .isGreaterThan(reached);
            changed.add(change);
        } else if (event instanceof WatchEvent.Progress progress) {
            assertThat(progress.revision()).isGreaterThanOrEqualTo(reached);
            reached = progress.revision();
        } else if (event instanceof WatchEvent.Lost end) {
            lost = end.reason();
        }
    }

    List<WatchEvent.Changed> changed() {
        return List.copyOf(changed);
    }

    int count() {
        return changed.size();
    }

    /** For example {@code a=1} and {@code -a}. */
    List<String> texts() {
        return changed.stream()
                .map(change -> change.now()
                        .map(now -> change.key().toUtf8() + "=" + now.value().toUtf8())
                        .orElse("-" + change.key().toUtf8()))
                .toList();
    }

    long reached() {
        return reached;
    }

    String lost() {
        return lost;
    }

    void awaitReached(long revision) {
        Eventually.holds(() -> assertThat(reached).isGreaterThanOrEqualTo(revision));
    }

    void awaitLost(String... because) {
        Eventually.holds(() -> assertThat(lost).contains(because));
    }
}
