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
package org.apache.eventmesh.state.etcd.jetcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.etcd.client.Compare;
import org.apache.eventmesh.state.etcd.client.Consistency;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.etcd.client.Range;
import org.apache.eventmesh.state.etcd.client.RangeAnswer;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.value.Bytes;

/** Our words in those of etcd's protocol, and back. */
final class Messages {
    private Messages() {}

    static TxnRequest request(Txn txn) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        for (Compare compare : txn.compares()) {
            request.addCompare(io.etcd.jetcd.api.Compare.newBuilder()
                    .setKey(bytes(compare.key()))
                    .setTarget(io.etcd.jetcd.api.Compare.CompareTarget.MOD)
                    .setResult(io.etcd.jetcd.api.Compare.CompareResult.EQUAL)
                    .setModRevision(compare.revision()));
        }
        txn.then().forEach(step -> request.addSuccess(request(step)));
        txn.otherwise().forEach(step -> request.addFailure(request(step)));
        return request.build();
    }

    private static RequestOp request(Step step) {
        RequestOp.Builder request = RequestOp.newBuilder();
        if (step instanceof Step.Put put) {
            request.setRequestPut(PutRequest.newBuilder()
                    .setKey(bytes(put.key()))
                    .setValue(bytes(put.value()))
                    .setLease(put.lease()));
        } else if (step instanceof Step.Delete delete) {
            request.setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(bytes(delete.key())));
        } else if (step instanceof Step.Get get) {
            request.setRequestRange(
                    RangeRequest.newBuilder().setKey(bytes(get.key())).setRevision(get.revision()));
        } else if (step instanceof Step.Nested nested) {
            request.setRequestTxn(request(nested.txn()));
        }
        return request.build();
    }

    static TxnAnswer answer(TxnResponse response) {
        return answer(response, header(response.getHeader()));
    }

    private static TxnAnswer answer(TxnResponse response, Header header) {
        List<Entry> entries = new ArrayList<>();
        List<TxnAnswer> nested = new ArrayList<>();
        for (ResponseOp step : response.getResponsesList()) {
            if (step.hasResponseRange()) {
                step.getResponseRange().getKvsList().forEach(found -> entries.add(entry(found)));
            } else if (step.hasResponseTxn()) {
                nested.add(answer(step.getResponseTxn(), header));
            }
        }
        return new TxnAnswer(header, response.getSucceeded(), entries, nested);
    }

    static RangeRequest request(Range range) {
        RangeRequest.Builder request = RangeRequest.newBuilder()
                .setKey(bytes(range.from()))
                .setLimit(range.limit())
                .setSerializable(range.consistency() == Consistency.SERIALIZABLE)
                .setKeysOnly(range.keysOnly());
        if (range.to() != null) {
            request.setRangeEnd(bytes(range.to()));
        }
        return request.build();
    }

    static RangeAnswer answer(RangeResponse response) {
        return new RangeAnswer(
                header(response.getHeader()),
                response.getKvsList().stream().map(Messages::entry).toList(),
                response.getMore());
    }

    static Header header(ResponseHeader header) {
        return new Header(header.getClusterId(), header.getMemberId(), header.getRevision(), header.getRaftTerm());
    }

    static Entry entry(KeyValue found) {
        return new Entry(bytes(found.getKey()), bytes(found.getValue()), found.getModRevision());
    }

    static ByteString bytes(Bytes bytes) {
        // without a copy: neither side changes it
        return UnsafeByteOperations.unsafeWrap(bytes.buffer());
    }

    static Bytes bytes(ByteString bytes) {
        return Bytes.of(bytes.toByteArray());
    }
}
