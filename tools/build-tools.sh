#!/usr/bin/env bash
#
# Licensed to the Apache Software Foundation (ASF) under one or more
# contributor license agreements. See the NOTICE file distributed with
# this work for additional information regarding copyright ownership.
# The ASF licenses this file to You under the Apache License, Version 2.0
# (the "License"); you may not use this file except in compliance with
# the License. You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# Sourced by ./demo and ./verify: finds the JDK and the Maven to build with. They define say and fail.

find_jdk() {
    local javac
    if [[ -n "${JAVA_HOME:-}" ]]; then
        javac="$JAVA_HOME/bin/javac"
        [[ -x "$javac" ]] || fail "JAVA_HOME is $JAVA_HOME, which is no JDK (no bin/javac); set it to a JDK 17 or newer, or unset it"
    else
        javac="$(command -v javac)" || fail "no javac found; install a JDK 17 or newer, for example: apt-get install openjdk-17-jdk-headless"
    fi
    local version
    version="$("$javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')"
    [[ "${version:-0}" -ge 17 ]] || fail "$javac is version ${version:-unknown}; a JDK 17 or newer is needed"
    say "JDK $version ($javac)"
    if ((version >= 24)); then
        # a library of the build's plugins still uses what these JDKs warn about
        export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
    fi
}

# The wrapper brings the Maven that we build with. A machine that cannot fetch it may have one of its own.
find_maven() {
    command -v unzip > /dev/null || PATH="$PATH:$PWD/tools/without-unzip"
    if ./mvnw --version > /dev/null 2>&1 < /dev/null; then
        maven=(./mvnw)
    elif command -v mvn > /dev/null; then
        maven=(mvn)
        say "the Maven wrapper could not fetch its Maven; falling back to $(command -v mvn)"
    else
        ./mvnw --version || true
        fail "the Maven wrapper could not fetch Maven and none is installed; see above"
    fi
}
