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

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * One deliberate fault in a class of the library, put into its bytes: the sources stay as they are, and nothing in them is
 * there for the sake of a test.
 *
 * @param type behind {@code org.apache.eventmesh.state.}
 * @param method its name; lambdas in it are part of it, and so is every overload
 */
record CoreFault(String type, String method, Edit edit) {
    static final String LIBRARY = "org.apache.eventmesh.state.";

    /** Makes the faulty method. */
    interface Edit {
        /** Makes another of the method as a whole, so that it leaves the lambdas alone that nobody calls any more. */
        interface OfWhole extends Edit {}

        /**
         * A visitor that writes the faulty method to another.
         *
         * @param site is run for each change that is made
         */
        MethodVisitor of(MethodVisitor written, String descriptor, Runnable site);
    }

    /** Begins the description of a fault. */
    record Place(String type, String method) {
        /** The method does nothing but give this. */
        CoreFault gives(Object constant) {
            Edit.OfWhole edit = (written, descriptor, site) -> new ConstantMethod(written, descriptor, constant, site);
            return new CoreFault(type, method, edit);
        }

        /** Calls of this name are left out. */
        CoreFault without(String call) {
            return new CoreFault(
                    type, method, (written, descriptor, site) -> new ChangedCalls(written, call, null, site));
        }

        /** Whatever calls of this name give, they are taken to have given this. */
        CoreFault taking(String call, Object constant) {
            return new CoreFault(
                    type, method, (written, descriptor, site) -> new ChangedCalls(written, call, constant, site));
        }

        /** Any two numbers of type {@code long} are taken to be equal. */
        CoreFault takingLongsAsEqual() {
            return new CoreFault(type, method, (written, descriptor, site) -> new EqualLongs(written, site));
        }

        /** Another number stands in the place of this one. */
        CoreFault withLong(long number, long instead) {
            return new CoreFault(
                    type, method, (written, descriptor, site) -> new OtherLong(written, number, instead, site));
        }

        /** Failures of what calls of this name give are answers, as this method of {@link Swallowed} makes them. */
        CoreFault swallowing(String call, String as) {
            return new CoreFault(type, method, (written, descriptor, site) -> new PassedOn(written, call, as, site));
        }

        /** What is handed over to calls of this name, to be run, is run at once, on the thread that hands it over. */
        CoreFault runningAtOnce(String call) {
            return new CoreFault(type, method, (written, descriptor, site) -> new RunAtOnce(written, call, site));
        }
    }

    /** Both, in one method. */
    CoreFault and(CoreFault other) {
        if (!other.type.equals(type) || !other.method.equals(method)) {
            throw new IllegalArgumentException(other.method + " is another place than " + method);
        }
        return new CoreFault(
                type,
                method,
                (written, descriptor, site) -> edit.of(other.edit.of(written, descriptor, site), descriptor, site));
    }

    static Place in(String type, String method) {
        return new Place(type, method);
    }

    String className() {
        return LIBRARY + type;
    }

    /**
     * The class with the fault.
     *
     * @throws BadPlaceError when there is no such place any more
     */
    byte[] putInto(byte[] good) {
        ClassReader reader = new ClassReader(good);
        ClassWriter faulty = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        int[] sites = new int[1];
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, faulty) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor written = super.visitMethod(access, name, descriptor, signature, exceptions);
                        boolean inside = edit instanceof Edit.OfWhole
                                ? name.equals(method)
                                : name.equals(method) || name.startsWith("lambda$" + method + "$");
                        boolean here = inside && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) == 0;
                        return here ? edit.of(written, descriptor, () -> sites[0]++) : written;
                    }
                },
                0);
        if (sites[0] == 0) {
            throw new BadPlaceError("nothing to change in " + method + " of " + className() + ": adapt the mutant");
        }
        return faulty.toByteArray();
    }
}
