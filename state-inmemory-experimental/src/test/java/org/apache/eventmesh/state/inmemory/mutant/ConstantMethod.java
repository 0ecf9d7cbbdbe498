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
import org.objectweb.asm.Type;

/** A method of which nothing is left but its answer. */
final class ConstantMethod extends MethodVisitor {
    private final MethodVisitor written;
    private final String descriptor;
    private final Object constant;
    private final Runnable site;

    ConstantMethod(MethodVisitor written, String descriptor, Object constant, Runnable site) {
        // what is visited goes nowhere
        super(Opcodes.ASM9);
        this.written = written;
        this.descriptor = descriptor;
        this.constant = constant;
        this.site = site;
    }

    @Override
    public void visitCode() {
        Type result = Type.getReturnType(descriptor);
        written.visitCode();
        Constants.push(written, result, constant);
        written.visitInsn(result.getOpcode(Opcodes.IRETURN));
        written.visitMaxs(0, 0);
        written.visitEnd();
        site.run();
    }
}
