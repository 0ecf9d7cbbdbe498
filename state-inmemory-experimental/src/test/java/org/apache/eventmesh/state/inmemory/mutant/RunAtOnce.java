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

/** A method that runs what it should hand over. */
final class RunAtOnce extends MethodVisitor {
    private final String call;
    private final Runnable site;

    RunAtOnce(MethodVisitor written, String call, Runnable site) {
        super(Opcodes.ASM9, written);
        this.call = call;
        this.site = site;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (!name.equals(call) || !descriptor.equals("(Ljava/lang/Runnable;)V")) {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            return;
        }
        site.run();
        super.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
        super.visitInsn(Opcodes.POP);
    }
}
