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
package org.apache.eventmesh.state.core.read;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * What one key of a listing gives: an item, something unreadable, or nothing.
 *
 * @param key in the listing's order
 * @param bytes that it took to read
 */
public record Row<T>(Bytes key, int bytes, Optional<T> item, Optional<Unreadable> unreadable) {

    /**
     * Makes the item; what cannot be made, for whatever reason, is unreadable and hides nothing else.
     *
     * @param named the record that is named when it is unreadable
     */
    public static <T> Row<T> of(Bytes key, Bytes named, int bytes, Supplier<Optional<T>> item) {
        try {
            return new Row<>(key, bytes, item.get(), Optional.empty());
        } catch (RuntimeException e) {
            Unreadable unreadable = new Unreadable(KeyText.of(named), String.valueOf(e.getMessage()));
            return new Row<>(key, bytes, Optional.empty(), Optional.of(unreadable));
        }
    }

    /** The next step of making the item, if it got so far; named by this row's key. */
    public <U> Row<U> then(Function<T, Optional<U>> step) {
        return item.isPresent()
                ? of(key, key, bytes, () -> step.apply(item.get()))
                : new Row<>(key, bytes, Optional.empty(), unreadable);
    }
}
