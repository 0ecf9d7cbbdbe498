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
package org.apache.eventmesh.state.inmemory.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Loads the core and the kit once more, with a fault in one class. All else, JUnit above all, is that of the test. */
final class FaultyLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final CoreFault IMPATIENCE =
            CoreFault.in("tck.kit.Stages", "<clinit>").withLong(20, 1);

    private static final String CORE = CoreFault.LIBRARY + "core.";
    private static final String OPENING = CORE + "set.";
    private static final String RECORDS = CORE + "proto.";
    private static final String KIT = CoreFault.LIBRARY + "tck.";
    private static final String HERE = FaultyLoader.class.getPackageName();

    private final Optional<CoreFault> fault;
    private final boolean impatient;

    /** Whether the fault is in what everything else rests on, or in what the API finds by itself. */
    private final boolean whole;

    private volatile boolean met;

    /** @param impatient whether the kit is to wait but a moment for what becomes true by itself */
    FaultyLoader(Optional<CoreFault> fault, boolean impatient) {
        super(FaultyLoader.class.getClassLoader());
        this.fault = fault;
        this.impatient = impatient;
        this.whole = fault.map(CoreFault::className)
                .filter(name -> !name.startsWith(CORE) || name.startsWith(OPENING))
                .isPresent();
    }

    /** Whether the class with the fault was used. */
    boolean met() {
        return met || fault.isEmpty();
    }

    /** The same class of the library, the kit or this package, as it is here. */
    Class<?> again(Class<?> known) {
        try {
            return loadClass(known.getName());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("it is there: " + known, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!again(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    /** What knows neither the core nor the kit need not be loaded again, which takes its time: unless it has the fault. */
    private boolean again(String name) {
        return name.startsWith(CoreFault.LIBRARY)
                && (whole || name.startsWith(CORE) || name.startsWith(KIT) || name.startsWith(HERE))
                && !name.startsWith(RECORDS);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = read(name);
        if (fault.filter(there -> there.className().equals(name)).isPresent()) {
            met = true;
            bytes = fault.get().putInto(bytes);
        }
        if (impatient && IMPATIENCE.className().equals(name)) {
            bytes = IMPATIENCE.putInto(bytes);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the class file of " + name + " cannot be read", e);
        }
    }
}
