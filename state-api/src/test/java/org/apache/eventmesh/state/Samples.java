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
package org.apache.eventmesh.state;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.value.Bytes;

/** A valid value of any type that a component of the API's records has. */
final class Samples {
    private Samples() {}

    static Object of(Type type) {
        if (type instanceof TypeVariable<?> variable) {
            return of(variable.getBounds()[0]);
        }
        Class<?> plain = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (plain == int.class) {
            return 1;
        } else if (plain == long.class) {
            return 1L;
        } else if (plain == boolean.class) {
            return true;
        } else if (plain == String.class || plain == Object.class) {
            return "a:b";
        } else if (plain == Duration.class) {
            return Duration.ofSeconds(1);
        } else if (plain == Instant.class) {
            return Instant.EPOCH;
        } else if (plain == Bytes.class) {
            return Bytes.EMPTY;
        } else if (plain == Optional.class) {
            return Optional.empty();
        } else if (plain == OptionalLong.class) {
            return OptionalLong.empty();
        } else if (plain == List.class) {
            return List.of();
        } else if (plain == Set.class) {
            return Set.of();
        } else if (plain == Map.class) {
            return Map.of();
        } else if (plain == StateStoreException.class) {
            return new StoreClosedException("closed; open it again");
        } else if (plain == Scope.class) {
            return new org.apache.eventmesh.state.id.TaskId("task");
        } else if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        } else if (plain.isSealed()) {
            return of(plain.getPermittedSubclasses()[0]);
        } else if (plain.isRecord()) {
            return record(plain);
        }
        return Proxy.newProxyInstance(plain.getClassLoader(), new Class<?>[] {plain}, (proxy, method, arguments) -> {
            throw new AssertionError(method + " of a sample was called");
        });
    }

    private static Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(Arrays.stream(components)
                            .map(component -> of(component.getGenericType()))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " cannot be made of samples", e);
        }
    }
}
