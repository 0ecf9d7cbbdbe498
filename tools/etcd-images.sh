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
# Makes container images of etcd out of its programs, for the tests in containers: run by itself it starts a container
# engine, makes the images, prints what to give to Maven, and runs until it is interrupted; sourced by ./verify it sets
# etcd_images. Nothing is pulled.
#
#   tools/etcd-images.sh [etcd…]     programs to make images of; default: those of tools/etcd-server.sh trixie testing
#
# An engine that answers is used as it is. Otherwise, as root on a machine with apt, docker.io is installed and an engine
# of one's own is started, with a socket and a data directory in a temporary directory; it ends with the script.

declare -F say > /dev/null || say() { printf 'etcd-images: %s\n' "$*" >&2; }

container_home=""
container_pid=""

# Starts an engine unless one answers; fails, and says why in one line, when there can be none.
start_container_engine() {
    if command -v docker > /dev/null && docker version > /dev/null 2>&1 < /dev/null; then
        say "containers: the engine that runs here is used"
        return 0
    fi
    if [[ "$(uname -s)" != Linux || "$(id -u)" != 0 ]]; then
        say "containers: skipped, no engine answers here and only root can start one"
        return 1
    fi
    if ! command -v dockerd > /dev/null; then
        if ! command -v apt-get > /dev/null; then
            say "containers: skipped, no engine is installed and there is no apt-get to install one with"
            return 1
        fi
        say "containers: installing an engine (apt-get install docker.io)"
        if ! { apt-get install -y -qq docker.io || { apt-get update -qq && apt-get install -y -qq docker.io; }; } \
            > /dev/null 2>&1 < /dev/null; then
            say "containers: skipped, docker.io could not be installed"
            return 1
        fi
    fi
    container_home="$(mktemp -d "${TMPDIR:-/tmp}/eventmesh-containers.XXXXXX")"
    export DOCKER_HOST="unix://$container_home/docker.sock"
    dockerd --host "$DOCKER_HOST" --data-root "$container_home/data" --exec-root "$container_home/run" \
        --pidfile "$container_home/pid" > "$container_home/log" 2>&1 < /dev/null &
    container_pid=$!
    local waited
    for ((waited = 0; waited < 60; waited++)); do
        if docker version > /dev/null 2>&1 < /dev/null; then
            say "containers: an engine of our own was started"
            return 0
        fi
        kill -0 "$container_pid" 2> /dev/null || break
        sleep 0.5
    done
    say "containers: skipped, the engine does not start: $(grep -v level=info "$container_home/log" | tail -n 1)"
    stop_container_engine
    return 1
}

# Ends the engine that was started here, and removes all that it made.
stop_container_engine() {
    if [[ -n "$container_pid" ]]; then
        kill "$container_pid" 2> /dev/null || true
        wait "$container_pid" 2> /dev/null || true
        container_pid=""
    fi
    if [[ -n "$container_home" ]]; then
        umount -q "$container_home"/data/*/ "$container_home"/run/*/ 2> /dev/null || true
        rm -rf "$container_home"
        container_home=""
        unset DOCKER_HOST
    fi
}

# Makes an image that holds a program, the libraries that it is linked with and nothing else; sets etcd_image.
make_etcd_image() {
    local binary="$1" version root library
    version="$("$binary" --version | sed -n 's/^etcd Version: //p')"
    etcd_image="eventmesh-state/etcd:v$version"
    root="$(mktemp -d "${TMPDIR:-/tmp}/eventmesh-image.XXXXXX")"
    mkdir -p "$root/usr/local/bin" "$root/tmp"
    cp "$binary" "$root/usr/local/bin/etcd"
    while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done < <(ldd "$binary" 2> /dev/null | grep -o '/[^ ]*')
    if tar -C "$root" -c . | docker import \
        --change 'ENV PATH=/usr/local/bin' --change 'CMD ["etcd"]' - "$etcd_image" > /dev/null; then
        rm -rf "$root"
        say "containers: made the image $etcd_image of $binary"
    else
        rm -rf "$root"
        say "containers: no image could be made of $binary"
        return 1
    fi
}

# Sets etcd_images to images of the programs, separated by commas; empty where there is no container engine.
find_etcd_images() {
    local binary all=""
    etcd_images=""
    start_container_engine || return 0
    for binary in "$@"; do
        make_etcd_image "$binary" || return 0
        all+="${all:+,}$etcd_image"
    done
    etcd_images="$all"
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then
    set -euo pipefail
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    trap stop_container_engine EXIT
    if (($# == 0)); then
        # shellcheck source=tools/etcd-server.sh
        . tools/etcd-server.sh
        find_etcd trixie testing
        IFS=: read -ra programs <<< "$etcd_binaries"
        set -- "${programs[@]}"
    fi
    find_etcd_images "$@"
    [[ -n "$etcd_images" ]]
    echo "${DOCKER_HOST:+DOCKER_HOST=$DOCKER_HOST }TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=localhost" \
        "./mvnw -Pcontainers -pl state-meta-etcd -am test -Dtest='*Container*Test' -Detcd.images=$etcd_images"
    [[ -z "$container_pid" ]] || wait "$container_pid"
fi
