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
package org.apache.eventmesh.state.etcd;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Another client can take the place of jetcd without touching anything but its package. */
class EtcdLayersTest {
    private static final String ROOT = "org.apache.eventmesh.state.etcd";
    private static final String CLIENT = ROOT + ".client..";
    private static final String JETCD = ROOT + ".jetcd..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void only_the_client_over_jetcd_knows_jetcd_and_what_it_brings() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "..")
                .and()
                .resideOutsideOfPackage(JETCD)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.etcd..", "io.grpc..", "io.netty..", "io.vertx..", "com.google..")
                .check(CLASSES);
    }

    @Test
    void only_the_provider_says_which_client_it_is() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "..")
                .and()
                .resideOutsideOfPackage(JETCD)
                .and()
                .doNotHaveSimpleName("EtcdEngineProvider")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(JETCD)
                .check(CLASSES);
    }

    @Test
    void what_is_asked_of_a_client_knows_no_engine_and_no_store() {
        noClasses()
                .that()
                .resideInAPackage(CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT, JETCD, "org.apache.eventmesh.state.core..")
                .check(CLASSES);
    }

    @Test
    void nothing_here_needs_vertx() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..")
                .check(CLASSES);
    }
}
