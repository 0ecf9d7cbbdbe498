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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.value.Bytes;

/** What the operations of one turn want read; hand-outs that are decided together must not choose the same deliveries. */
final class Batch implements Wanted {
    private final Set<Bytes> keys = new LinkedHashSet<>();
    private final Set<Long> chosen = new HashSet<>();

    @Override
    public void read(Bytes key) {
        keys.add(key);
    }

    @Override
    public boolean choose(long number) {
        return chosen.add(number);
    }

    @Override
    public boolean chosen(long number) {
        return chosen.contains(number);
    }

    /** Lets the operations name what they need; those that can. The others fail, each by itself. */
    List<Pending<?>> prepared(List<Pending<?>> operations, ShardIndex committed) {
        List<Pending<?>> good = new ArrayList<>(operations.size());
        for (Pending<?> pending : operations) {
            try {
                pending.operation().prepare(committed, this);
                good.add(pending);
            } catch (Throwable e) {
                if (pending.take()) {
                    pending.fail(e);
                }
            }
        }
        return good;
    }

    List<Bytes> keys() {
        return new ArrayList<>(keys);
    }
}
