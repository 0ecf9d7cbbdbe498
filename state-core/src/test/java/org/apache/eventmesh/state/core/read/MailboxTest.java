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

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MailboxTest {
    @Test
    void required_S04_an_error_of_one_task_harms_no_later_one() {
        List<String> ran = new ArrayList<>();
        Mailbox mailbox = new Mailbox(Runnable::run, 10);

        mailbox.add(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        mailbox.add(() -> ran.add("later"));

        assertThat(ran).containsExactly("later");
    }
}
