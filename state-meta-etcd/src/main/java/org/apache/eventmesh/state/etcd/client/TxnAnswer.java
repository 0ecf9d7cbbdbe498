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
package org.apache.eventmesh.state.etcd.client;

import java.util.List;
import org.apache.eventmesh.state.engine.Entry;

/**
 * What a transaction did.
 *
 * @param header its revision is that of the transaction's changes when it changed anything, otherwise the latest; nested
 *     answers have that of the outermost
 * @param succeeded whether the comparisons held
 * @param entries what the branch's {@link Step.Get} steps found, in their order; absent keys are left out
 * @param nested the answers of the branch's {@link Step.Nested} steps, in their order
 */
public record TxnAnswer(Header header, boolean succeeded, List<Entry> entries, List<TxnAnswer> nested) {
    public TxnAnswer {
        entries = List.copyOf(entries);
        nested = List.copyOf(nested);
    }

    /** The revision of the header. */
    public long revision() {
        return header.revision();
    }
}
