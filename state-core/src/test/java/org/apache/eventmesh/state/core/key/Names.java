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
package org.apache.eventmesh.state.core.key;

import java.util.List;
import java.util.Random;

/** Texts that break naive encodings, and random ones made of the same parts. */
final class Names {
    static final List<String> NASTY = List.of(
            "",
            "\0",
            "\0\0",
            "\0\u00ff",
            "\u00ff",
            "\uffff",
            "a",
            "a\0",
            "a\0b",
            "a\0\0",
            "a\u0001",
            "aa",
            "a/b",
            "a:b",
            "a|b",
            "a\nb",
            "a\r\n",
            "/",
            "\u0001",
            "\u007f",
            "\u0080",
            "\u07ff",
            "\u0800",
            "\ud7ff",
            "\ue000",
            "\ud800\udc00",
            "\udbff\udfff",
            "\ud83d\ude00",
            "\ud83d\ude00\0",
            "e\u0301",
            "\u00e9");

    private Names() {}

    static String random(Random random) {
        StringBuilder name = new StringBuilder();
        for (int parts = random.nextInt(4); parts > 0; parts--) {
            switch (random.nextInt(4)) {
                case 0 -> name.append('\0');
                case 1 -> name.append((char) ('a' + random.nextInt(3)));
                case 2 -> name.append(NASTY.get(random.nextInt(NASTY.size())));
                default -> name.appendCodePoint(codePoint(random));
            }
        }
        return name.toString();
    }

    private static int codePoint(Random random) {
        int point;
        do {
            point = random.nextInt(Character.MAX_CODE_POINT + 1);
        } while (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        return point;
    }

    /** The order of UTF-8, which is that of code points and not that of {@code String}. */
    static int compare(String one, String other) {
        return java.util.Arrays.compare(
                one.codePoints().toArray(), other.codePoints().toArray());
    }
}
