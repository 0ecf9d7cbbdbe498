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

/** How long text is in UTF-8, without encoding it: identifiers are made on every call. */
public final class Utf8 {
    /** Of text that has an unpaired surrogate, which UTF-8 cannot hold. */
    public static final long MALFORMED = -1;

    private Utf8() {}

    /** In bytes, or {@link #MALFORMED}. */
    public static long size(String text) {
        int length = text.length();
        long size = length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                size += 1;
            } else if (!Character.isSurrogate(c)) {
                size += 2;
            } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                // four bytes for the two
                size += 2;
                i++;
            } else {
                return MALFORMED;
            }
        }
        return size;
    }
}
