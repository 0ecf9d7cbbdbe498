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
package org.apache.eventmesh.state.core.interleaving;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** Loads the core and its tests once more, {@linkplain Weaver woven}: the classes themselves stay as they are. */
final class WovenLoader extends ClassLoader {
    private static final String CORE = "org.apache.eventmesh.state.core.";
    private static final String RECORDS = CORE + "proto.";
    private static final String HERE = WovenLoader.class.getPackageName() + ".";

    private static final String TRIED = HERE + "InterleavingsTest";

    private final String prefix;
    private final Set<String> pointsIn;
    private final boolean locks;
    private final Map<String, Set<String>> finals = new ConcurrentHashMap<>();

    /**
     * Loads nothing yet.
     *
     * @param pointsIn simple names in the scenario's package
     * @param locks whether the classes of these names take their locks
     */
    WovenLoader(Class<?> scenario, Set<String> pointsIn, boolean locks) {
        super(scenario.getClassLoader());
        this.prefix = scenario.getPackageName() + ".";
        this.pointsIn = pointsIn;
        this.locks = locks;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean woven = name.startsWith(CORE) && !name.startsWith(RECORDS) && !isOfHere(name);
        if (!woven) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    /** Scenarios that stand beside this are woven as all others. */
    private static boolean isOfHere(String name) {
        return name.startsWith(HERE) && !name.startsWith(TRIED);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        ClassReader reader = new ClassReader(read(name));
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected ClassLoader getClassLoader() {
                // as they are unwoven, who extends whom is the same
                return getParent();
            }
        };
        reader.accept(
                new Weaver(writer, hasPoints(name), locks || !hasPoints(name), this::finals), ClassReader.SKIP_FRAMES);
        byte[] woven = writer.toByteArray();
        return defineClass(name, woven, 0, woven.length);
    }

    private boolean hasPoints(String name) {
        if (!name.startsWith(prefix)) {
            return false;
        }
        String simple = name.substring(prefix.length());
        int nested = simple.indexOf('$');
        return pointsIn.contains(simple) || (nested > 0 && pointsIn.contains(simple.substring(0, nested)));
    }

    /** Names of the fields of a class that nobody changes. */
    private Set<String> finals(String owner) {
        return finals.computeIfAbsent(owner, this::readFinals);
    }

    private Set<String> readFinals(String owner) {
        Set<String> found = new HashSet<>();
        try {
            new ClassReader(read(owner.replace('/', '.')))
                    .accept(
                            new ClassVisitor(Opcodes.ASM9) {
                                @Override
                                public FieldVisitor visitField(
                                        int access, String name, String descriptor, String signature, Object value) {
                                    if ((access & Opcodes.ACC_FINAL) != 0) {
                                        found.add(name);
                                    }
                                    return super.visitField(access, name, descriptor, signature, value);
                                }
                            },
                            ClassReader.SKIP_CODE);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return found;
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
