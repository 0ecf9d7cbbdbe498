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
package org.apache.eventmesh.state.core.local;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.eventmesh.state.engine.EngineProvider;

/** The providers that the running program has, by scheme. Looks anew each time. */
public final class EngineProviders {
    /** As in RFC 3986, section 3.1; lower case only, so that one place has one scheme. */
    private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9+.-]*):.*", Pattern.DOTALL);

    private static final Map<String, String> ARTIFACTS = Map.of(
            "rocksdb", "eventmesh-state-rocksdb",
            "etcd", "eventmesh-state-meta-etcd",
            "memory", "eventmesh-state-inmemory-experimental");

    private static final int MAX_BROKEN = 16;

    private final List<EngineProvider> found = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    private EngineProviders(Set<ClassLoader> loaders) {
        loaders.forEach(this::look);
    }

    private void look(ClassLoader loader) {
        var providers = ServiceLoader.load(EngineProvider.class, loader).iterator();
        // one that cannot be loaded must not hide the others; the iterator promises no more than best effort
        while (broken.size() < MAX_BROKEN) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                EngineProvider next = providers.next();
                if (found.stream().noneMatch(known -> known.getClass() == next.getClass())) {
                    found.add(next);
                }
            } catch (ServiceConfigurationError e) {
                broken.add(String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * The one provider of an address, found through the thread's context class loader and that of this library: a
     * runtime may load its backends as plugins, or call from a thread whose loader knows none.
     *
     * @throws IllegalArgumentException when the address has no scheme, or not exactly one provider: it lists what was
     *     found and says what to add
     */
    public static EngineProvider of(String uri) {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(EngineProviders.class.getClassLoader());
        return of(uri, loaders);
    }

    static EngineProvider of(String uri, Set<ClassLoader> loaders) {
        return new EngineProviders(loaders).one(scheme(uri));
    }

    /**
     * The part before the first colon.
     *
     * @throws IllegalArgumentException when there is none, or it is no scheme
     */
    public static String scheme(String uri) {
        Matcher matcher = ADDRESS.matcher(uri);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + uri + "' is no address of a state store; it starts with a scheme in "
                            + "lower case and a colon, for example rocksdb:///var/lib/eventmesh/state");
        }
        return matcher.group(1);
    }

    private EngineProvider one(String scheme) {
        List<EngineProvider> matching = found.stream()
                .filter(provider -> provider.scheme().equals(scheme))
                .toList();
        if (matching.size() == 1) {
            return matching.get(0);
        }
        if (matching.isEmpty()) {
            throw new IllegalArgumentException(
                    "no engine provider for scheme '%s'; found: %s. Add %s to the class path%s"
                            .formatted(
                                    scheme,
                                    schemes(),
                                    dependency(scheme),
                                    broken.isEmpty() ? "" : ". These could not be loaded: " + broken));
        }
        throw new IllegalArgumentException(
                "scheme '%s' has %d engine providers: %s. Take all but one off the class path"
                        .formatted(
                                scheme,
                                matching.size(),
                                matching.stream()
                                        .map(provider -> provider.getClass().getName())
                                        .toList()));
    }

    private String schemes() {
        TreeSet<String> schemes = new TreeSet<>();
        found.forEach(provider ->
                schemes.add(provider.scheme() + " (" + provider.getClass().getName() + ")"));
        return schemes.isEmpty() ? "none" : String.join(", ", schemes);
    }

    private static String dependency(String scheme) {
        String artifact = ARTIFACTS.get(scheme);
        return artifact == null ? "the artifact that provides it" : "org.apache.eventmesh:" + artifact;
    }
}
