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
package org.apache.eventmesh.state.value;

import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BytesTest {
    @Test
    void required_G06_neither_the_array_given_nor_the_array_got_changes_it() {
        byte[] given = {1, 2};
        Bytes bytes = Bytes.of(given);
        given[0] = 9;
        bytes.toArray()[1] = 9;
        assertThat(bytes).isEqualTo(Bytes.of((byte) 1, (byte) 2));
        assertThatExceptionOfType(ReadOnlyBufferException.class)
                .isThrownBy(() -> bytes.buffer().put(0, (byte) 9));
    }

    @Test
    void order_is_that_of_unsigned_bytes() {
        assertThat(Bytes.of((byte) 0x80)).isGreaterThan(Bytes.of((byte) 0x7f));
        assertThat(Bytes.of((byte) 1)).isLessThan(Bytes.of((byte) 1, (byte) 0));
    }

    @Test
    void its_text_shows_no_content() {
        assertThat(Bytes.utf8("secret")).hasToString("Bytes[6]");
    }
}
