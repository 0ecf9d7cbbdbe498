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

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Constants in the code of a method. */
final class Constants {
    /** The value of a type that says nothing: false, 0, empty. */
    static final String NONE = "nothing";

    private Constants() {}

    /** Puts a constant on the stack, as a value of that type. */
    static void push(MethodVisitor code, Type type, Object constant) {
        switch (type.getSort()) {
            case Type.VOID -> {}
            case Type.BOOLEAN -> code.visitInsn(constant.equals(true) ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
            case Type.INT -> code.visitLdcInsn(constant.equals(NONE) ? 0 : (Integer) constant);
            case Type.LONG -> code.visitLdcInsn(constant.equals(NONE) ? 0L : ((Number) constant).longValue());
            default -> object(code, type, constant);
        }
    }

    private static void object(MethodVisitor code, Type type, Object constant) {
        if (constant.equals(NONE) && type.equals(Type.getType(Object.class))) {
            code.visitInsn(Opcodes.ACONST_NULL);
        } else if (constant instanceof String text && type.equals(Type.getType(String.class))) {
            code.visitLdcInsn(text);
        } else if (constant.equals(NONE) && type.equals(Type.getType(Optional.class))) {
            made(code, type, "empty", false);
        } else if (constant.equals(NONE) && type.equals(Type.getType(OptionalLong.class))) {
            made(code, type, "empty", false);
        } else if (constant instanceof Long number && type.equals(Type.getType(OptionalLong.class))) {
            code.visitLdcInsn(number);
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    type.getInternalName(),
                    "of",
                    Type.getMethodDescriptor(type, Type.LONG_TYPE),
                    false);
        } else if (constant.equals(NONE)
                && (type.equals(Type.getType(List.class)) || type.equals(Type.getType(Set.class)))) {
            made(code, type, "of", true);
        } else {
            throw new BadPlaceError("no constant " + constant + " of type " + type.getClassName());
        }
    }

    private static void made(MethodVisitor code, Type type, String by, boolean isInterface) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, type.getInternalName(), by, Type.getMethodDescriptor(type), isInterface);
    }
}
