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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A runtime that takes the API takes nothing else with it. */
class NeedsOnlyJavaBaseTest {
    @Test
    void the_only_module_is_java_base() throws URISyntaxException {
        assertThat(jdeps("--print-module-deps", "--ignore-missing-deps")).isEqualTo("java.base");
    }

    @Test
    void all_that_is_missing_are_annotations() throws URISyntaxException {
        assertThat(jdeps("-verbose:class").lines().filter(line -> line.endsWith("not found") && line.contains("  ")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("-> org.jspecify.annotations."));
    }

    private static String jdeps(String... options) throws URISyntaxException {
        List<String> command = new ArrayList<>(List.of(options));
        command.add(Path.of(Bytes.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString());
        StringWriter out = new StringWriter();
        PrintWriter printer = new PrintWriter(out);
        int status = ToolProvider.findFirst("jdeps")
                .orElseThrow(() -> new AssertionError("no jdeps; run the tests on a JDK, not a JRE"))
                .run(printer, printer, command.toArray(String[]::new));
        assertThat(status).as(out.toString()).isZero();
        return out.toString().strip();
    }
}
