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
package org.apache.eventmesh.state.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** The arrows of the design point one way: api, core, engines; and the test kit sees the API and the engine SPI. */
class ArchitectureTest {
    private static final String ROOT = "org.apache.eventmesh.state";
    private static final String CORE = ROOT + ".core..";
    private static final String SPI = ROOT + ".engine..";
    /** Leases and watches for an engine without its own: the one part of core that is open to the kit. */
    private static final String COMPLETION = ROOT + ".core.local..";

    private static final String ROCKSDB = ROOT + ".rocksdb..";
    private static final String IN_MEMORY = ROOT + ".inmemory..";
    private static final String ETCD = ROOT + ".etcd..";
    private static final String KIT = ROOT + ".tck..";
    private static final String CLI = ROOT + ".cli..";

    private static final String[] LANGUAGE = {"java..", "org.jspecify.annotations.."};

    /** What an engine may know of the API: how to say no, what it carries, whom it tells. */
    private static final String[] ENGINE_VOCABULARY = {ROOT + ".failure..", ROOT + ".value..", ROOT + ".observe.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static final DescribedPredicate<JavaClass> API = resideInAPackage(ROOT + "..")
            .and(not(resideInAnyPackage(CORE, SPI, ROCKSDB, IN_MEMORY, ETCD, KIT, CLI)))
            .as("the API");

    @Test
    void the_api_knows_only_the_language() {
        check(classes().that(API).should().onlyDependOnClassesThat(API.or(resideInAnyPackage(LANGUAGE))));
    }

    @Test
    void core_knows_no_backend() {
        check(classes()
                .that(resideInAnyPackage(CORE, SPI))
                .should()
                .onlyDependOnClassesThat(API.or(resideInAnyPackage(CORE, SPI, "com.google.protobuf..", "org.slf4j.."))
                        .or(resideInAnyPackage(LANGUAGE))));
    }

    @Test
    void the_engine_spi_knows_no_store() {
        check(classes()
                .that(resideInAPackage(SPI))
                .should()
                .onlyDependOnClassesThat(resideInAPackage(SPI)
                        .or(resideInAnyPackage(ENGINE_VOCABULARY))
                        .or(resideInAnyPackage(LANGUAGE))));
    }

    @Test
    void rocksdb_knows_keys_and_bytes_and_no_store() {
        checkEngine(ROCKSDB, "org.rocksdb..");
    }

    @Test
    void the_in_memory_engine_knows_keys_and_bytes_and_no_store() {
        checkEngine(IN_MEMORY);
    }

    /** What of jetcd it knows, and where, its own module tells. */
    @Test
    void the_etcd_engine_knows_keys_and_bytes_and_no_store() {
        checkEngine(ETCD, "javax.net.ssl..", "io.etcd..", "io.grpc..", "io.netty..", "com.google..");
    }

    @Test
    void the_test_kit_knows_the_api_and_the_spi_and_no_backend() {
        check(classes()
                .that(resideInAPackage(KIT))
                .should()
                .onlyDependOnClassesThat(API.or(resideInAnyPackage(
                                KIT,
                                SPI,
                                COMPLETION,
                                // store sets over an engine with faults
                                ROOT + ".core.set..",
                                // which table to damage
                                ROOT + ".core.key..",
                                "org.junit.jupiter..",
                                "org.opentest4j..",
                                "org.apiguardian..",
                                "org.assertj..",
                                "org.slf4j.."))
                        .or(resideInAnyPackage(LANGUAGE))));
    }

    @Test
    void nothing_published_knows_the_tools() {
        check(noClasses().that(not(resideInAPackage(CLI))).should().dependOnClassesThat(resideInAPackage(CLI)));
    }

    @Test
    void the_packages_of_the_api_have_no_cycle() {
        // one answer for all stores: a sealed result names it, so it must name them
        DescribedPredicate<JavaClass> fenced = JavaClass.Predicates.belongTo(name(ROOT + ".owner.Fenced"));
        check(slices().assignedFrom(packagesOf(API))
                .should()
                .beFreeOfCycles()
                .ignoreDependency(fenced, DescribedPredicate.alwaysTrue()));
    }

    @Test
    void the_packages_of_core_have_no_cycle() {
        check(slices().assignedFrom(packagesOf(resideInAnyPackage(CORE, SPI)))
                .should()
                .beFreeOfCycles());
    }

    @Test
    void libraries_log_and_do_not_print() {
        DescribedPredicate<JavaClass> libraries = not(resideInAnyPackage(CLI, KIT));
        check(noClasses().that(libraries).should(GeneralCodingRules.ACCESS_STANDARD_STREAMS));
        check(noClasses().that(libraries).should(GeneralCodingRules.USE_JAVA_UTIL_LOGGING));
    }

    @Test
    void every_package_says_that_null_is_the_exception() {
        TreeSet<String> unmarked = CLASSES.stream()
                .map(JavaClass::getPackage)
                .filter(found -> !found.getName().equals(ROOT + ".core.proto"))
                .filter(found -> !found.isAnnotatedWith(NullMarked.class))
                .map(found -> found.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unmarked).as("packages without @NullMarked").isEmpty();
    }

    private static void checkEngine(String own, String... libraries) {
        check(classes()
                .that(resideInAPackage(own))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(own, SPI, "org.slf4j..")
                        .or(resideInAnyPackage(libraries))
                        .or(resideInAnyPackage(ENGINE_VOCABULARY))
                        .or(resideInAnyPackage(LANGUAGE))));
    }

    private static void check(ArchRule rule) {
        // a module is empty before its first class is written
        rule.allowEmptyShould(true).check(CLASSES);
    }

    private static SliceAssignment packagesOf(DescribedPredicate<JavaClass> part) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass found) {
                return part.test(found) ? SliceIdentifier.of(found.getPackageName()) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages of " + part.getDescription();
            }
        };
    }
}
