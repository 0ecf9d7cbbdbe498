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
# Makes an etcd server available to the tests, without installing anything: run by itself it prints the path of each
# server, sourced by ./verify it sets etcd_binaries.
#
#   tools/etcd-server.sh [suite…]     for example tools/etcd-server.sh trixie testing
#
# ETCD_BINARY names servers to use instead, separated by colons. Otherwise: the packages of Debian's suites (default:
# trixie, which has the oldest release that is supported), fetched with lists of its own from the archive that this
# machine's apt is set up with, and unpacked into a cache. Root is not needed. Where that is not to be had (no Debian, no
# network): an etcd from the path.

etcd_cache="${XDG_CACHE_HOME:-$HOME/.cache}/eventmesh-state/etcd"

# say and fail are those of ./verify; by itself this talks to standard error, since the paths are the output.
declare -F say > /dev/null || say() { printf 'etcd-server: %s\n' "$*" >&2; }

# The archive that the system's packages come from, as apt itself understands its sources.
etcd_archive() {
    apt-get indextargets --format '$(CREATED_BY) $(REPO_URI) $(RELEASE) $(COMPONENT)' 2> /dev/null \
        | awk '$1 == "Packages" && $4 == "main" && $2 !~ /security/ && $3 !~ /-(security|updates|backports)/ { print $2; exit }'
}

# Fetches and unpacks the packages of one suite into the cache, unless they are there.
etcd_from_debian() {
    local suite="$1" home="$etcd_cache/$1" work archive
    if [[ -x "$home/usr/bin/etcd" ]]; then
        return 0
    fi
    archive="$(etcd_archive)"
    if [[ -z "$archive" ]]; then
        say "apt has no Debian archive among its sources, so etcd of $suite cannot be fetched"
        return 1
    fi
    say "fetching etcd-server and etcd-client of Debian $suite into $home (nothing is installed)"
    mkdir -p "$etcd_cache"
    work="$(mktemp -d "$etcd_cache/.$suite.XXXXXX")"
    mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root"
    printf 'deb [signed-by=%s] %s %s main\n' /usr/share/keyrings/debian-archive-keyring.gpg "$archive" "$suite" \
        > "$work/sources.list"
    local private=(
        -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work" -o Dir::Cache::archives="$work/archives"
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o APT::Default-Release=
    )
    if (
        cd "$work"
        apt-get "${private[@]}" -qq update && apt-get "${private[@]}" -qq download etcd-server etcd-client \
            && for package in *.deb; do dpkg -x "$package" root || exit 1; done
    ) > "$work/log" 2>&1 < /dev/null && [[ -x "$work/root/usr/bin/etcd" ]]; then
        rm -rf "$home"
        mv "$work/root" "$home"
        rm -rf "$work"
    else
        say "etcd of $suite could not be fetched:"
        sed -E 's#://[^/ ]*#://…#g; s/^/  /' "$work/log" >&2
        rm -rf "$work"
        return 1
    fi
}

etcd_version() { "$1" --version 2> /dev/null | sed -n 's/^etcd Version: //p'; }

# Sets etcd_binaries to what there is, separated by colons; empty when there is none.
find_etcd() {
    local suites=("$@") suite binary found=()
    ((${#suites[@]})) || suites=(trixie)
    if [[ -n "${ETCD_BINARY:-}" ]]; then
        IFS=: read -ra found <<< "$ETCD_BINARY"
    elif command -v apt-get > /dev/null && command -v dpkg > /dev/null; then
        for suite in "${suites[@]}"; do
            if etcd_from_debian "$suite"; then
                found+=("$etcd_cache/$suite/usr/bin/etcd")
            fi
        done
    fi
    if ((${#found[@]} == 0)) && command -v etcd > /dev/null; then
        found=("$(command -v etcd)")
    fi
    etcd_binaries=""
    for binary in ${found[@]+"${found[@]}"}; do
        if [[ -n "$(etcd_version "$binary")" ]]; then
            say "etcd $(etcd_version "$binary") ($binary)"
            etcd_binaries+="${etcd_binaries:+:}$binary"
        else
            say "$binary does not run: etcd --version says nothing"
        fi
    done
    if [[ -z "$etcd_binaries" ]]; then
        say "no etcd server: the tests that need one will fail; set ETCD_BINARY to an etcd of 3.5.16 or newer"
    fi
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then
    set -euo pipefail
    find_etcd "$@"
    tr : '\n' <<< "$etcd_binaries"
    [[ -n "$etcd_binaries" ]]
fi
