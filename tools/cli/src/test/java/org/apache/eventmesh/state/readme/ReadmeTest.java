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
package org.apache.eventmesh.state.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReadmeTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path SOURCE = Path.of("src/test/java/org/apache/eventmesh/state/readme/FirstSteps.java");

    @Test
    void its_first_steps_lead_to_position_one(@TempDir Path directory) {
        assertThat(FirstSteps.run("rocksdb://" + directory.resolve("state"))).isEqualTo(1);
    }

    @Test
    void it_shows_the_code_that_is_tested() throws IOException {
        String source = Files.readString(SOURCE);
        String code = source.substring(source.indexOf("// README begins"), source.indexOf("        // README ends"))
                .replace("// README begins\n", "")
                .stripTrailing() // an empty last line counts as one without indent
                .stripIndent();
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains(code);
    }
}
