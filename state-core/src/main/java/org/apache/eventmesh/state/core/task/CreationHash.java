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
package org.apache.eventmesh.state.core.task;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.value.Bytes;

/**
 * SHA-256 of all creation fields. It stands on disk and tells a repeated creation from a conflicting one, so what goes into
 * it never changes: each field behind its length, what may be absent behind a 1 or a 0, attributes in the order of their
 * names behind their number. Two different tasks therefore never give the same input.
 */
final class CreationHash {
    private final MessageDigest digest;

    private CreationHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static ByteString of(NewTask task) {
        CreationHash hash = new CreationHash();
        hash.text(task.id().value());
        hash.text(task.agent().value());
        hash.optional(task.context());
        hash.optional(task.parent().map(parent -> parent.value()));
        hash.field(task.input().buffer());
        TreeMap<String, String> attributes = new TreeMap<>(task.attributes().values());
        hash.number(attributes.size());
        attributes.forEach((name, value) -> {
            hash.text(name);
            hash.text(value);
        });
        return ByteString.copyFrom(hash.digest.digest());
    }

    private void optional(Optional<String> field) {
        number(field.isPresent() ? 1 : 0);
        field.ifPresent(this::text);
    }

    private void text(String field) {
        field(Bytes.utf8(field).buffer());
    }

    private void field(ByteBuffer content) {
        number(content.remaining());
        digest.update(content);
    }

    private void number(int value) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(value).flip());
    }
}
