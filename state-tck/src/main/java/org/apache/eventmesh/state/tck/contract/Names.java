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
package org.apache.eventmesh.state.tck.contract;

import java.util.List;
import java.util.stream.Stream;

/** Identifiers that a store is likely to get wrong. */
final class Names {
    /** 512 bytes in UTF-8, the longest that there may be, in characters of four bytes. */
    static final String LONGEST = "\uD83C\uDF0D".repeat(128);

    /** Each is a good identifier, and they are all different. */
    static final List<String> ODD = List.of(
            "plain",
            "PLAIN",
            "\u0000",
            "\u0000\u0000",
            "a\u0000",
            "a\u0000b",
            "\u0000\u00FF",
            "\u00FF",
            "\uFFFF",
            "a/b",
            "a//b",
            "a:b",
            "a.b",
            "a,b",
            "a|b",
            "a%2Fb",
            "a b",
            " ",
            "\t",
            "\n",
            "a\r\nb",
            "'; DROP TABLE deliveries; --",
            "\\",
            "\\u0000",
            "*",
            "\uD83D\uDE80",
            "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
            // the same to the eye: composed, decomposed; and two that a case-insensitive store would fold
            "\u00E9",
            "e\u0301",
            "STRASSE",
            "stra\u00DFe",
            "\u202Eabc",
            "null",
            "0",
            "-1",
            LONGEST);

    /** Pairs of two names each that become one when they are joined naively, whatever stands between them. */
    static final List<Colliding> COLLIDING = Stream.of("", "/", ":", ".", "-", "_", "|", "#", ",", " ", "\u0000", "\n")
            .map(between -> new Colliding(new Pair("a" + between + "b", "c"), new Pair("a", "b" + between + "c")))
            .toList();

    /** Each is refused with an {@link IllegalArgumentException}. */
    static final List<String> MALFORMED =
            List.of("", "x".repeat(513), LONGEST + "x", "\uD83C", "\uDF0D", "a\uD83Cb", "\uDF0D\uD83C");

    record Pair(String first, String second) {}

    record Colliding(Pair one, Pair other) {}

    private Names() {}
}
