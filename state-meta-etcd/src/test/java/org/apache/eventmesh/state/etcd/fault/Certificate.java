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
package org.apache.eventmesh.state.etcd.fault;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.apache.eventmesh.state.etcd.server.EtcdBinaries;

/**
 * Who somebody is: a certificate that it signed itself, so whoever trusts it trusts nobody else, and its key; in PEM
 * form.
 */
record Certificate(Path certificate, Path key) {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final String ALIAS = "it";

    /**
     * Makes one by the tool that comes with Java.
     *
     * @param name of a host
     */
    static Certificate of(String name, Path directory) throws IOException, GeneralSecurityException {
        Path store = directory.resolve(name + ".p12");
        EtcdBinaries.run(
                Path.of(System.getProperty("java.home"), "bin", "keytool"),
                List.of(
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:" + name,
                        "-validity",
                        "2",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD)));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return new Certificate(
                pem(
                        directory.resolve(name + ".pem"),
                        "CERTIFICATE",
                        keys.getCertificate(ALIAS).getEncoded()),
                pem(
                        directory.resolve(name + "-key.pem"),
                        "PRIVATE KEY",
                        keys.getKey(ALIAS, PASSWORD).getEncoded()));
    }

    /** Writes something in PEM form. */
    static Path pem(Path file, String what, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
