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
package org.apache.eventmesh.state.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Argument checks of the value types; every message names the value and what it must be. */
public final class Check {
    /** Longest identifier, in bytes of UTF-8. */
    public static final int MAX_IDENTIFIER_BYTES = 512;

    private Check() {}

    /** An identifier: not empty, at most {@value #MAX_IDENTIFIER_BYTES} bytes in UTF-8, well-formed Unicode. */
    public static String identifier(String what, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty; give it at least one character");
        }
        long size = Utf8.size(value);
        if (size == Utf8.MALFORMED) {
            throw malformed(what);
        }
        if (size > MAX_IDENTIFIER_BYTES) {
            throw new IllegalArgumentException(
                    what + " has " + size + " bytes in UTF-8; the limit is " + MAX_IDENTIFIER_BYTES);
        }
        return value;
    }

    /** What must be there: every argument and every component, an {@code Optional} one too. */
    public static <T> T given(String what, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(what + " must not be null; give a value, or an empty one for none");
        }
        return value;
    }

    /** Elements of which none is null, as an unmodifiable list in their order. */
    public static <T> List<T> elements(String what, @Nullable Collection<? extends T> values) {
        int i = 0;
        for (T value : given(what, values)) {
            if (value == null) {
                given(what + "[" + i + "]", value);
            }
            i++;
        }
        return List.copyOf(values);
    }

    /** Entries of which none has a null, as an unmodifiable map. */
    public static <K, V> Map<K, V> entries(String what, @Nullable Map<? extends K, ? extends V> values) {
        given(what, values).forEach((key, value) -> {
            given("a key of " + what, key);
            if (value == null) {
                given(what + "[" + key + "]", value);
            }
        });
        return Map.copyOf(values);
    }

    /** Text that may be empty and long, but must be well-formed: it is stored as UTF-8 and must come back exactly. */
    public static String text(String what, String value) {
        given(what, value);
        if (Utf8.size(value) == Utf8.MALFORMED) {
            throw malformed(what);
        }
        return value;
    }

    public static long notNegative(String what, long value) {
        that(value >= 0, "%s is %d; it must not be negative", what, value);
        return value;
    }

    public static Duration positive(String what, Duration value) {
        given(what, value);
        that(value.compareTo(Duration.ZERO) > 0, "%s is %s; it must be longer than zero", what, value);
        return value;
    }

    private static IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(what + " has an unpaired surrogate; give well-formed Unicode");
    }

    public static void that(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new IllegalArgumentException(String.format(message, args));
        }
    }
}
