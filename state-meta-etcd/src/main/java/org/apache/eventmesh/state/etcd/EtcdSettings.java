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
package org.apache.eventmesh.state.etcd;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.eventmesh.state.etcd.client.Credentials;
import org.apache.eventmesh.state.etcd.client.Tls;
import org.jspecify.annotations.Nullable;

/**
 * What a user may set by name. Values appear in no message: they may be secrets.
 *
 * @param allowOldServer take servers before {@link ServerVersion#OLDEST}
 * @param commitSlots how many transactions may be under way at once
 * @param maxTxnOps the server's {@code --max-txn-ops}
 * @param maxRequestBytes the server's {@code --max-request-bytes}
 */
record EtcdSettings(
        Optional<Credentials> credentials,
        Optional<Tls> tls,
        boolean allowOldServer,
        int commitSlots,
        int maxTxnOps,
        int maxRequestBytes) {
    private static final String USER = "etcd.user";
    private static final String PASSWORD = "etcd.password";
    private static final String TLS = "etcd.tls";
    private static final String CA_FILE = "etcd.caFile";
    private static final String CERT_FILE = "etcd.certFile";
    private static final String KEY_FILE = "etcd.keyFile";
    private static final String AUTHORITY = "etcd.authority";
    private static final String ALLOW_OLD_SERVER = "etcd.allowOldServer";
    private static final String COMMIT_SLOTS = "etcd.commitSlots";
    private static final String MAX_TXN_OPS = "etcd.maxTxnOps";
    private static final String MAX_REQUEST_BYTES = "etcd.maxRequestBytes";
    private static final List<String> KNOWN = List.of(
            USER,
            PASSWORD,
            TLS,
            CA_FILE,
            CERT_FILE,
            KEY_FILE,
            AUTHORITY,
            ALLOW_OLD_SERVER,
            COMMIT_SLOTS,
            MAX_TXN_OPS,
            MAX_REQUEST_BYTES);

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException when one is unknown or malformed
     */
    static EtcdSettings of(Map<String, String> options) {
        TreeSet<String> unknown = new TreeSet<>(options.keySet());
        KNOWN.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "etcd has no option " + String.join(", ", unknown) + "; it knows " + String.join(", ", KNOWN));
        }
        return new EtcdSettings(
                credentials(options),
                tls(options),
                truth(ALLOW_OLD_SERVER, options),
                number(COMMIT_SLOTS, options, 8, 1, 64),
                number(MAX_TXN_OPS, options, 128, 16, 10_000),
                number(MAX_REQUEST_BYTES, options, 1_572_864, 65_536, 64 << 20));
    }

    private static Optional<Credentials> credentials(Map<String, String> options) {
        String user = options.get(USER);
        String password = options.get(PASSWORD);
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException(USER + " and " + PASSWORD + " must be given together");
        }
        if (user == null || password == null) {
            return Optional.empty();
        }
        if (user.isEmpty() || password.isEmpty()) {
            throw new IllegalArgumentException(USER + " and " + PASSWORD + " must not be empty");
        }
        return Optional.of(new Credentials(user, password));
    }

    private static Optional<Tls> tls(Map<String, String> options) {
        if (!truth(TLS, options)) {
            for (String name : List.of(CA_FILE, CERT_FILE, KEY_FILE, AUTHORITY)) {
                if (options.containsKey(name)) {
                    throw new IllegalArgumentException(name + " is for TLS; set " + TLS + "=true as well");
                }
            }
            return Optional.empty();
        }
        Path certificate = path(CERT_FILE, options);
        Path key = path(KEY_FILE, options);
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(CERT_FILE + " and " + KEY_FILE + " must be given together");
        }
        String authority = options.get(AUTHORITY);
        if (authority != null && !authority.matches("[0-9a-zA-Z][0-9a-zA-Z._-]*(:[0-9]{1,5})?")) {
            throw new IllegalArgumentException(AUTHORITY + " must be the name in the servers' certificates");
        }
        return Optional.of(new Tls(
                Optional.ofNullable(path(CA_FILE, options)),
                certificate == null || key == null ? Optional.empty() : Optional.of(new Tls.Identity(certificate, key)),
                Optional.ofNullable(authority)));
    }

    private static @Nullable Path path(String name, Map<String, String> options) {
        String value = options.get(name);
        if (value == null) {
            return null;
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            // not as the cause: it shows the value
            throw new IllegalArgumentException(name + " is not a path on this system");
        }
    }

    private static boolean truth(String name, Map<String, String> options) {
        return switch (options.getOrDefault(name, "false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " must be true or false");
        };
    }

    private static int number(String name, Map<String, String> options, int otherwise, int least, int most) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException(name + " must be a number from " + least + " to " + most);
    }
}
