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

import java.util.Map;
import java.util.TreeSet;

/**
 * What a user may set by name.
 *
 * @param strictRecovery refuse to open when a log has any damage, instead of dropping what stands behind it
 * @param readThreads how many reads and scans run at the same time
 * @param verifyTables read all tables when it is opened, and refuse to open when one is damaged
 */
record RocksSettings(boolean strictRecovery, int readThreads, boolean verifyTables) {
    private static final String STRICT_RECOVERY = "rocksdb.strictRecovery";
    private static final String READ_THREADS = "rocksdb.readThreads";
    private static final String VERIFY_TABLES = "rocksdb.verifyTables";
    private static final int DEFAULT_READ_THREADS = 4;
    private static final int MAX_READ_THREADS = 64;

    /** What helps where a log is not damaged, only torn. */
    static final String OPEN_ONCE_WITHOUT_STRICT = "if a crash, a full disk or a power loss tore the log, open it once"
            + " without " + STRICT_RECOVERY + ", which drops what was not finished there";

    static RocksSettings of(Map<String, String> options) {
        TreeSet<String> unknown = new TreeSet<>(options.keySet());
        unknown.remove(STRICT_RECOVERY);
        unknown.remove(READ_THREADS);
        unknown.remove(VERIFY_TABLES);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("RocksDB has no option " + String.join(", ", unknown) + "; it knows "
                    + STRICT_RECOVERY + ", " + READ_THREADS + " and " + VERIFY_TABLES);
        }
        return new RocksSettings(
                truth(STRICT_RECOVERY, options.getOrDefault(STRICT_RECOVERY, "false")),
                count(READ_THREADS, options.getOrDefault(READ_THREADS, Integer.toString(DEFAULT_READ_THREADS))),
                truth(VERIFY_TABLES, options.getOrDefault(VERIFY_TABLES, "false")));
    }

    /**
     * For opening again behind a failed write: of a damaged log what stands behind the damage is dropped, and callers wait,
     * so the tables are not looked at.
     */
    RocksSettings lenient() {
        return new RocksSettings(false, readThreads, false);
    }

    private static boolean truth(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " must be true or false");
        };
    }

    private static int count(String name, String value) {
        if (value.matches("[0-9]{1,4}")) {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= MAX_READ_THREADS) {
                return number;
            }
        }
        throw new IllegalArgumentException(name + " must be a number from 1 to " + MAX_READ_THREADS);
    }
}
