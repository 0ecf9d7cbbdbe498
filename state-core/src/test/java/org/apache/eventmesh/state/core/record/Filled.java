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
package org.apache.eventmesh.state.core.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import org.apache.eventmesh.state.core.key.Element;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** Records and keys with something in every field, always the same. */
final class Filled {
    private Filled() {}

    static Bytes key(Table table) {
        KeyWriter key = KeyWriter.of(table);
        int number = 1;
        for (Element element : table.elements()) {
            switch (element.type()) {
                case TEXT -> key.text(element.name() + "\0\u00e9\ud83d\ude00");
                case KIND -> key.kind(number);
                case INT -> key.integer(300 + number);
                case LONG -> key.number((1L << 40) + number);
                case SCOPE -> key.scope(new Partition("orders", 3));
                case SUBSCRIBER -> key.subscriber(Subscriber.group("billing"));
            }
            number++;
        }
        return key.key();
    }

    /** All fields set; of a oneof the last, of a repeated field two elements, of a map one entry. */
    static Message.Builder message(Message.Builder empty) {
        for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                empty.addRepeatedField(field, value(empty, field, 0));
            } else if (field.isRepeated()) {
                empty.addRepeatedField(field, value(empty, field, 0));
                empty.addRepeatedField(field, value(empty, field, 1));
            } else {
                empty.setField(field, value(empty, field, 0));
            }
        }
        return empty;
    }

    private static Object value(Message.Builder in, FieldDescriptor field, int element) {
        int number = 100 * field.getNumber() + element;
        return switch (field.getJavaType()) {
            case INT -> number;
            case LONG -> (1L << 40) + number;
            case BOOLEAN -> true;
            case STRING -> field.getName() + "\0\u00e9" + element;
            case BYTE_STRING -> ByteString.copyFrom(new byte[] {0, (byte) 0xFF, (byte) number});
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(field.getEnumType().getValues().size() - 1);
            case MESSAGE -> message(in.newBuilderForField(field)).build();
            case FLOAT, DOUBLE -> throw new IllegalStateException("no record has a fraction");
        };
    }
}
