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
import org.jspecify.annotations.Nullable;

/**
 * The transactions of {@link StoreWrites} through jetcd's own client: the same comparisons, the same put, the present
 * records if it is refused, on copies of the records of the stores. With commit slots it is the same transaction as that
 * of the stores; without, it is what one would write by hand, and after a lost answer nobody could tell what became of it.
 */
final class PlainWrites implements FencedWrites {
    /** Of the same length as that of the stores. */
    private static final String BARE = "/plain/";

    private static final String WITH_SLOTS = "/slots/";

    private static final long LEASE_SECONDS = 3_600;

    private final String own;
    private final Client client;
    private final KV kv;
    private final List<Place> places = new ArrayList<>();

    private record Place(
            List<Cmp> fence,
            Op put,
            List<Op> present,
            @Nullable PlainSlot slot) {}

    private PlainWrites(String endpoint, String own) {
        this.own = own;
        client = Client.builder().endpoints("http://" + endpoint).build();
        kv = client.getKVClient();
    }

    /**
     * Copies what the stores have written.
     *
     * @param prefix of the stores
     * @param slots whether each place has a commit slot
     */
    static PlainWrites open(String endpoint, String prefix, int places, boolean slots)
            throws ExecutionException, InterruptedException {
        PlainWrites writes = new PlainWrites(endpoint, slots ? WITH_SLOTS : BARE);
        long lease = slots
                ? writes.client.getLeaseClient().grant(LEASE_SECONDS).get().getID()
                : 0;
        for (int place = 0; place < places; place++) {
            writes.places.add(writes.place(prefix, place, slots ? writes.slot(place, lease) : null));
        }
        return writes;
    }

    private PlainSlot slot(int place, long lease) throws ExecutionException, InterruptedException {
        ByteSequence key = ByteSequence.from((own + "slot/" + place).getBytes(StandardCharsets.UTF_8));
        long revision = kv.put(key, key).get().getHeader().getRevision();
        return new PlainSlot(key, lease, revision);
    }

    private Place place(String prefix, int place, @Nullable PlainSlot slot)
            throws ExecutionException, InterruptedException {
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
                List.copyOf(present),
                slot);
    }

    private KeyValue copy(String prefix, Bytes key) throws ExecutionException, InterruptedException {
        KeyValue original = kv.get(key(prefix, key)).get().getKvs().get(0);
        ByteSequence copied = key(own, key);
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
        PlainSlot slot = at.slot();
        List<Cmp> compared = new ArrayList<>(at.fence());
        List<Op> puts = new ArrayList<>();
        List<Op> present = new ArrayList<>(at.present());
        if (slot != null) {
            compared.add(slot.unchanged());
            puts.add(slot.next());
            present.add(slot.read());
        }
        puts.add(at.put());
        return kv.txn()
                .If(compared.toArray(new Cmp[0]))
                .Then(puts.toArray(new Op[0]))
                .Else(present.toArray(new Op[0]))
                .commit()
                .thenAccept(answer -> {
                    if (!answer.isSucceeded()) {
                        throw new IllegalStateException("a transaction was refused: " + answer);
                    }
                    if (slot != null) {
                        slot.revision(answer.getHeader().getRevision());
                    }
                });
    }

    @Override
    public void close() {
        client.close();
    }
}
