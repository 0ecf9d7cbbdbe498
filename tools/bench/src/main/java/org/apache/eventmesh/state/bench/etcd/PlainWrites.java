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
package org.apache.eventmesh.state.bench.etcd;

import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The transactions of {@link StoreWrites} through jetcd's own client, as one would write them by hand: the same
 * comparisons, the same put, the present records if it is refused, on copies of the records of the stores. No commit
 * slot: after a lost answer nobody could tell what became of one.
 */
final class PlainWrites implements FencedWrites {
    /** Of the same length as that of the stores. */
    static final String PREFIX = "/plain/";

    private final Client client;
    private final KV kv;
    private final List<Place> places = new ArrayList<>();

    private record Place(List<Cmp> fence, Op put, List<Op> present) {}

    private PlainWrites(String endpoint) {
        client = Client.builder().endpoints("http://" + endpoint).build();
        kv = client.getKVClient();
    }

    /**
     * Copies what the stores have written.
     *
     * @param prefix of the stores
     */
    static PlainWrites open(String endpoint, String prefix, int places)
            throws ExecutionException, InterruptedException {
        PlainWrites writes = new PlainWrites(endpoint);
        for (int place = 0; place < places; place++) {
            writes.places.add(writes.place(prefix, place));
        }
        return writes;
    }

    private Place place(String prefix, int place) throws ExecutionException, InterruptedException {
        List<Cmp> fence = new ArrayList<>();
        List<Op> present = new ArrayList<>();
        for (Bytes key : StoreWrites.conditioned(place)) {
            KeyValue copy = copy(prefix, key);
            fence.add(new Cmp(copy.getKey(), Cmp.Op.EQUAL, CmpTarget.modRevision(copy.getModRevision())));
            present.add(Op.get(copy.getKey(), GetOption.DEFAULT));
        }
        KeyValue written = copy(prefix, StoreWrites.written(place));
        return new Place(
                List.copyOf(fence),
                Op.put(written.getKey(), written.getValue(), PutOption.DEFAULT),
                List.copyOf(present));
    }

    private KeyValue copy(String prefix, Bytes key) throws ExecutionException, InterruptedException {
        KeyValue original = kv.get(key(prefix, key)).get().getKvs().get(0);
        ByteSequence copied = key(PREFIX, key);
        kv.put(copied, original.getValue()).get();
        return kv.get(copied).get().getKvs().get(0);
    }

    /** The engine keeps the records of the core behind this. */
    private static ByteSequence key(String prefix, Bytes key) {
        return ByteSequence.from((prefix + "k/").getBytes(StandardCharsets.UTF_8))
                .concat(ByteSequence.from(UnsafeByteOperations.unsafeWrap(key.buffer())));
    }

    @Override
    public CompletionStage<?> write(int place) {
        Place at = places.get(place);
        return kv.txn()
                .If(at.fence().toArray(new Cmp[0]))
                .Then(at.put())
                .Else(at.present().toArray(new Op[0]))
                .commit()
                .thenAccept(answer -> {
                    if (!answer.isSucceeded()) {
                        throw new IllegalStateException("a transaction was refused: " + answer);
                    }
                });
    }

    @Override
    public void close() {
        client.close();
    }
}
