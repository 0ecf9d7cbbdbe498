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

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A method in which what calls of one name give goes through a method of {@link Swallowed} first. */
final class PassedOn extends MethodVisitor {
    private static final String STAGE = "Ljava/util/concurrent/CompletionStage;";

    private final String call;
    private final String through;
    private final Runnable site;

    PassedOn(MethodVisitor written, String call, String through, Runnable site) {
        super(Opcodes.ASM9, written);
        this.call = call;
        this.through = through;
        this.site = site;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (name.equals(call) && descriptor.endsWith(")" + STAGE)) {
            site.run();
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    Swallowed.class.getName().replace('.', '/'),
                    through,
                    "(" + STAGE + ")" + STAGE,
                    false);
        }
    }
}
