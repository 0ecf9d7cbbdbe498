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

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The size of text agrees with the platform's own encoder, for well-formed text and for text that is not. */
class Utf8Test {
    /** Parts of which texts are made: each length of a code point, and halves of pairs. */
    private static final List<String> PARTS = List.of(
            "a",
            "\0",
            "\u007F",
            "\u0080",
            "\u07FF",
            "\u0800",
            "\uFFFF",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "\uDBFF\uDFFF");

    @Test
    void the_size_of_every_text_of_up_to_four_parts_is_what_the_encoder_makes() {
        all("", 4);
    }

    private static void all(String text, int more) {
        assertThat(Utf8.size(text)).as("%s", text).isEqualTo(encoded(text));
        if (more > 0) {
            PARTS.forEach(part -> all(text + part, more - 1));
        }
    }

    private static long encoded(String text) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
        } catch (CharacterCodingException e) {
            return Utf8.MALFORMED;
        }
    }
}
