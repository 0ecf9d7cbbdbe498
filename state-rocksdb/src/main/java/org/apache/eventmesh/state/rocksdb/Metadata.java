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
package org.apache.eventmesh.state.rocksdb;

import java.nio.charset.StandardCharsets;

/** The engine's own records, in the default column family. */
enum Metadata {
    /** Version of everything below and of the values in the other families. */
    FORMAT("format"),
    /** Random id of this data set's life. */
    INCARNATION("incarnation"),
    /** Revision of the last batch; written in every batch, so whether a batch is there can be seen after reopening. */
    LAST("last-revision"),
    /** No revision above this was ever handed out; always synced before one below it is used. */
    RESERVED("reserved-revision");

    static final int FORMAT_VERSION = 1;

    private final String key;

    Metadata(String key) {
        this.key = key;
    }

    byte[] key() {
        return key.getBytes(StandardCharsets.US_ASCII);
    }
}
