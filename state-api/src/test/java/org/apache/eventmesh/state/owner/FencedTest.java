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
package org.apache.eventmesh.state.owner;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.delivery.AckResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One Fenced answers for all stores: sealed types that permit it from other packages load on both paths. */
class FencedTest {
    private static final String MODULE = "org.apache.eventmesh.state.api";

    @Test
    void it_loads_on_the_class_path() {
        assertThat(Fenced.class.getModule().isNamed()).isFalse();
        assertEveryResultPermits(Fenced.class);
    }

    @Test
    void it_loads_on_the_module_path() throws Exception {
        Path classes = Path.of(AckResult.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Configuration configuration =
                ModuleLayer.boot().configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of(MODULE));
        ModuleLayer layer = ModuleLayer.defineModulesWithOneLoader(
                        configuration, List.of(ModuleLayer.boot()), ClassLoader.getPlatformClassLoader())
                .layer();
        Class<?> fenced = layer.findLoader(MODULE).loadClass(Fenced.class.getName());
        assertThat(fenced.getModule().getName()).isEqualTo(MODULE);
        assertEveryResultPermits(fenced);
    }

    private static void assertEveryResultPermits(Class<?> fenced) {
        assertThat(fenced.getInterfaces()).hasSizeGreaterThan(10);
        for (Class<?> result : fenced.getInterfaces()) {
            assertThat(Arrays.asList(result.getPermittedSubclasses()))
                    .as(result.getName())
                    .contains(fenced);
        }
    }
}
