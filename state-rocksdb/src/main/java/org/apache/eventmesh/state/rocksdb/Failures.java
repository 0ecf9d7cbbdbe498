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

import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What an error of RocksDB means to a caller, where nothing was written. */
final class Failures {
    private Failures() {}

    /** Of a call that nobody makes again but its caller. */
    static StateStoreException of(String what, String backend, RocksDBException e) {
        return of(
                what,
                backend,
                e,
                isNoSpace(e)
                        ? "free some space on that disk, then try again"
                        : "look at the disk and the directory, then try again");
    }

    /** Of opening again, which is tried until it succeeds or the engine is closed. */
    static StateStoreException ofOpeningAgain(String backend, RocksDBException e) {
        return of(
                "open again",
                backend,
                e,
                isNoSpace(e)
                        ? "free some space on that disk: it goes on by itself"
                        : "look at the disk and the directory; it is tried again");
    }

    private static StateStoreException of(String what, String backend, RocksDBException e, String remedy) {
        String told = "cannot " + what + " in " + backend + ": " + reason(e) + "; ";
        if (isDamage(e)) {
            return new CorruptStateException(
                    told
                            + "its files are damaged: close it, keep a copy of the directory, restore a checkpoint (docs/rocksdb.md)",
                    e);
        }
        return new StoreUnavailableException(told + remedy, e);
    }

    /** RocksDB's own words. */
    static String reason(RocksDBException e) {
        String message = e.getMessage();
        return message == null || message.isEmpty() ? String.valueOf(code(e)) : message;
    }

    static boolean isDamage(RocksDBException e) {
        return code(e) == Status.Code.Corruption;
    }

    static boolean isNoSpace(RocksDBException e) {
        Status status = e.getStatus();
        return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
                || reason(e).contains("No space left on device");
    }

    static Status.@Nullable Code code(RocksDBException e) {
        Status status = e.getStatus();
        return status == null ? null : status.getCode();
    }
}
