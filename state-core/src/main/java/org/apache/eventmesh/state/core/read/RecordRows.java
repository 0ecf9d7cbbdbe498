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
package org.apache.eventmesh.state.core.read;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Entry;

/** The scanned entries are the records. */
record RecordRows<M extends Message, T>(Codec<M> codec, Function<Stored<M>, Optional<T>> item) implements Rows<T> {
    @Override
    public CompletionStage<List<Row<T>>> of(List<Entry> scanned, Backend backend) {
        return CompletableFuture.completedStage(scanned.stream().map(this::row).toList());
    }

    private Row<T> row(Entry entry) {
        int bytes = entry.key().size() + entry.value().size();
        return Row.of(entry.key(), entry.key(), bytes, () -> item.apply(codec.decode(entry)));
    }
}
