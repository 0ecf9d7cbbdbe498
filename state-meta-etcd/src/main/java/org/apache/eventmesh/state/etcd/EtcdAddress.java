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

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import org.apache.eventmesh.state.etcd.client.Endpoint;

/**
 * Where the data is: {@code etcd://host1:2379,host2:2379/prefix}. The port may be left out. The prefix is this
 * installation's part of the key space; every key begins with it.
 *
 * @param uri as it was given; without secrets
 * @param prefix begins and ends with a slash
 */
record EtcdAddress(String uri, List<Endpoint> endpoints, String prefix) {
    static final String SCHEME = "etcd";
    static final String DEFAULT_PREFIX = "/eventmesh/state/";

    private static final String START = SCHEME + "://";
    private static final int DEFAULT_PORT = 2379;
    private static final int MAX_PREFIX = 200;

    EtcdAddress {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * Takes it apart.
     *
     * @throws IllegalArgumentException when it is malformed
     */
    static EtcdAddress parse(String uri) {
        if (uri.indexOf('@') >= 0) {
            // what stands before it may be a password: nothing of the address is shown
            throw new IllegalArgumentException("an etcd address takes no user and no password, and this one has an @;"
                    + " give them as the options etcd.user and etcd.password");
        }
        if (!uri.startsWith(START)) {
            throw malformed(uri, "it does not begin with " + START);
        }
        if (uri.indexOf('?') >= 0 || uri.indexOf('#') >= 0) {
            throw malformed(uri, "it takes no query and no fragment; settings are options");
        }
        String rest = uri.substring(START.length());
        int slash = rest.indexOf('/');
        String hosts = slash < 0 ? rest : rest.substring(0, slash);
        return new EtcdAddress(uri, endpoints(uri, hosts), prefix(uri, slash < 0 ? "" : rest.substring(slash)));
    }

    private static List<Endpoint> endpoints(String uri, String hosts) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(uri, host));
        }
        if (new LinkedHashSet<>(endpoints).size() < endpoints.size()) {
            throw malformed(uri, "a host is named twice");
        }
        return endpoints;
    }

    private static Endpoint endpoint(String uri, String text) {
        String host;
        String port;
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            String behind = end < 0 ? "" : text.substring(end + 1);
            if (end < 0 || !(behind.isEmpty() || behind.startsWith(":"))) {
                throw malformed(uri, "\"" + text + "\" is no host: an IPv6 address stands in brackets, [::1]:2379");
            }
            host = text.substring(1, end);
            port = behind.isEmpty() ? "" : behind.substring(1);
            if (!host.matches("[0-9a-fA-F:.]+(%[0-9a-zA-Z]+)?") || behind.equals(":")) {
                throw malformed(uri, "\"" + text + "\" is no host");
            }
        } else {
            int colon = text.indexOf(':');
            host = colon < 0 ? text : text.substring(0, colon);
            port = colon < 0 ? "" : text.substring(colon + 1);
            if (!host.matches("[0-9a-zA-Z][0-9a-zA-Z._-]*") || text.endsWith(":")) {
                throw malformed(uri, "\"" + text + "\" is no host");
            }
        }
        Endpoint endpoint =
                new Endpoint(host.toLowerCase(Locale.ROOT), port.isEmpty() ? DEFAULT_PORT : port(uri, port));
        mustBeKnownToNetworks(uri, text, endpoint);
        return endpoint;
    }

    /** What the network library would not take for the name of a host either: it has no word for what to write instead. */
    private static void mustBeKnownToNetworks(String uri, String text, Endpoint endpoint) {
        try {
            var unused = new URI(null, null, endpoint.host(), endpoint.port(), null, null, null);
        } catch (URISyntaxException e) {
            throw malformed(
                    uri,
                    "\"" + text + "\" is no host: between its dots, a name has letters, digits and hyphens, begins and"
                            + " ends with no hyphen, and has no _; give the host another name, or write its IP address");
        }
    }

    private static int port(String uri, String text) {
        if (text.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65_535) {
                return port;
            }
        }
        throw malformed(uri, "\"" + text + "\" is no port");
    }

    private static String prefix(String uri, String path) {
        if (path.isEmpty() || path.equals("/")) {
            return DEFAULT_PREFIX;
        }
        String prefix = path.endsWith("/") ? path : path + "/";
        if (!prefix.matches("(/[0-9a-zA-Z._~-]+)+/")) {
            throw malformed(uri, "its prefix may hold letters, digits and -._~ between single slashes");
        }
        if (prefix.length() > MAX_PREFIX) {
            throw malformed(uri, "its prefix has " + prefix.length() + " characters, at most " + MAX_PREFIX);
        }
        return prefix;
    }

    private static IllegalArgumentException malformed(String uri, String why) {
        return new IllegalArgumentException("\"" + uri + "\" is no address of an etcd cluster: " + why
                + "; write etcd://host1:2379,host2:2379/prefix");
    }
}
