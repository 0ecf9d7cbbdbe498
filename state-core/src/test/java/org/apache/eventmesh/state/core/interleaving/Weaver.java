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

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the calls of {@link Schedule} into a class: instead of taking and giving back locks, and before each access to a
 * field that is not final and to what {@code java.util.concurrent} has, which is taken as one step.
 */
final class Weaver extends ClassVisitor {
    private static final String SCHEDULE = Schedule.class.getName().replace('.', '/');
    private static final String LOCK = "java/util/concurrent/locks/ReentrantLock";

    private final boolean points;
    private final boolean locking;
    private final Function<String, Set<String>> finals;
    private String name = "";

    /**
     * A weaver.
     *
     * @param points whether a thread may be made to wait between the steps of this class, and not for locks alone
     * @param locking whether locks are taken
     * @param finals names of the fields of a class that nobody changes
     */
    Weaver(ClassVisitor written, boolean points, boolean locking, Function<String, Set<String>> finals) {
        super(Opcodes.ASM9, written);
        this.points = points;
        this.locking = locking;
        this.finals = finals;
    }

    @Override
    public void visit(
            int version,
            int access,
            String named,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        name = named;
        super.visit(version, access, named, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        boolean locks = locking && (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        MethodVisitor written =
                super.visitMethod(access & ~Opcodes.ACC_SYNCHRONIZED, method, descriptor, signature, exceptions);
        return new Method(written, method, locks, (access & Opcodes.ACC_STATIC) != 0);
    }

    private final class Method extends MethodVisitor {
        private final String method;
        private final boolean locks;
        private final boolean isStatic;
        private final Label begin = new Label();
        private int line;

        Method(MethodVisitor written, String method, boolean locks, boolean isStatic) {
            super(Opcodes.ASM9, written);
            this.method = method;
            this.locks = locks;
            this.isStatic = isStatic;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (locks) {
                loadOwnLock();
                enter();
                super.visitLabel(begin);
            }
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            // nobody else sees what is being made
            if (points
                    && !method.startsWith("<")
                    && owner.startsWith(name)
                    && !finals.apply(owner).contains(field)) {
                point();
            }
            super.visitFieldInsn(opcode, owner, field, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String descriptor, boolean isInterface) {
            if (owner.equals(LOCK) && called.equals("lock")) {
                enter();
            } else if (owner.equals(LOCK) && called.equals("unlock")) {
                exit();
            } else if (called.startsWith("notify") && descriptor.equals("()V")) {
                schedule("notified", "(Ljava/lang/Object;)V");
            } else {
                if (points && owner.startsWith("java/util/concurrent/") && !called.equals("<init>")) {
                    point();
                }
                super.visitMethodInsn(opcode, owner, called, descriptor, isInterface);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
                enter();
            } else if (opcode == Opcodes.MONITOREXIT) {
                exit();
            } else {
                if (locks && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                    exitOwnLock();
                }
                super.visitInsn(opcode);
            }
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            if (locks) {
                Label end = new Label();
                super.visitLabel(end);
                // last in the table, so that the method's own handlers come first
                super.visitTryCatchBlock(begin, end, end, null);
                exitOwnLock();
                super.visitInsn(Opcodes.ATHROW);
            }
            super.visitMaxs(maxStack, maxLocals);
        }

        private void exitOwnLock() {
            loadOwnLock();
            exit();
        }

        private void loadOwnLock() {
            if (isStatic) {
                super.visitLdcInsn(Type.getObjectType(name));
            } else {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            }
        }

        private void enter() {
            if (locking) {
                super.visitLdcInsn(place());
                schedule("enter", "(Ljava/lang/Object;Ljava/lang/String;)V");
            } else {
                super.visitInsn(Opcodes.POP);
            }
        }

        private void exit() {
            if (locking) {
                schedule("exit", "(Ljava/lang/Object;)V");
            } else {
                super.visitInsn(Opcodes.POP);
            }
        }

        private void point() {
            super.visitLdcInsn(place());
            schedule("point", "(Ljava/lang/String;)V");
        }

        private void schedule(String call, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, SCHEDULE, call, descriptor, false);
        }

        private String place() {
            return name.substring(name.lastIndexOf('/') + 1) + "." + method + ":" + line;
        }
    }
}
