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

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A method in which calls of one name are left out, or are made and their results replaced. */
final class ChangedCalls extends MethodVisitor {
    private final String call;
    private final @Nullable Object constant;
    private final Runnable site;

    /** @param constant the result; null to leave the call out */
    ChangedCalls(MethodVisitor written, String call, @Nullable Object constant, Runnable site) {
        super(Opcodes.ASM9, written);
        this.call = call;
        this.constant = constant;
        this.site = site;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (!name.equals(call)) {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            return;
        }
        site.run();
        if (constant == null) {
            leaveOut(opcode, owner, descriptor);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            Type result = Type.getReturnType(descriptor);
            pop(result);
            Constants.push(mv, result, constant);
        }
    }

    private void leaveOut(int opcode, String owner, String descriptor) {
        Type[] arguments = Type.getArgumentTypes(descriptor);
        for (int i = arguments.length - 1; i >= 0; i--) {
            pop(arguments[i]);
        }
        Type result = Type.getReturnType(descriptor);
        boolean chained = opcode != Opcodes.INVOKESTATIC
                && (result.equals(Type.getObjectType(owner)) || (owner.startsWith("[") && call.equals("clone")));
        if (chained) {
            // the object goes on to the next call, as if this one had not been written
            return;
        }
        if (opcode != Opcodes.INVOKESTATIC) {
            super.visitInsn(Opcodes.POP);
        }
        if (result.getSort() != Type.VOID) {
            Constants.push(mv, result, Constants.NONE);
        }
    }

    private void pop(Type type) {
        if (type.getSize() == 2) {
            super.visitInsn(Opcodes.POP2);
        } else if (type.getSize() == 1) {
            super.visitInsn(Opcodes.POP);
        }
    }
}
