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
package org.apache.eventmesh.state.tck.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.tck.kit.Eventually;

import static org.assertj.core.api.Assertions.assertThat;

/** What a watch told. */
final class WatchLog implements WatchListener {
    private final List<WatchEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void on(WatchEvent event) {
        events.add(event);
    }

    List<WatchEvent.Changed> changed() {
        return events.stream()
                .filter(WatchEvent.Changed.class::isInstance)
                .map(WatchEvent.Changed.class::cast)
                .toList();
    }

    /** For example {@code a=1} and {@code -a}. */
    List<String> changes() {
        return changed().stream()
                .map(changed -> {
                    String name = changed.key().toUtf8().substring(1);
                    return changed.now()
                            .map(now -> name + "=" + now.value().toUtf8())
                            .orElse("-" + name);
                })
                .toList();
    }

    boolean isLost() {
        return events.stream().anyMatch(WatchEvent.Lost.class::isInstance);
    }

    void awaitChanges(String... expected) {
        Eventually.holds(() -> assertThat(changes()).containsExactly(expected));
    }

    void awaitLost() {
        Eventually.holds(() -> assertThat(isLost()).isTrue());
    }

    void awaitProgress(long revision) {
        Eventually.holds(() -> assertThat(events)
                .anyMatch(event -> event instanceof WatchEvent.Progress progress && progress.revision() >= revision));
    }
}
