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
package org.apache.eventmesh.state.etcd.jetcd;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Which member is asked: one, as long as it answers. Whoever fails is left alone for a while, so that a stopped member
 * costs few calls and not every third.
 */
final class Members {
    private static final long AVOIDED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final List<Member> all;
    private volatile int preferred;

    Members(List<Endpoint> endpoints, Connector connector) {
        List<Member> made = new ArrayList<>();
        try {
            for (Endpoint endpoint : endpoints) {
                made.add(new Member(endpoint, connector));
            }
        } catch (RuntimeException | Error e) {
            made.forEach(Member::close);
            throw e;
        }
        all = List.copyOf(made);
        // so that the runtimes of a mesh do not all ask the same one
        preferred = ThreadLocalRandom.current().nextInt(all.size());
    }

    List<Member> all() {
        return all;
    }

    /** The one to ask first. */
    Member choose() {
        return choose(Set.of(), all.get(preferred));
    }

    /** The next to ask when these have been tried; {@code null} when none is left. */
    @Nullable
    Member next(Set<Member> tried) {
        for (int i = 0; i < all.size(); i++) {
            Member member = all.get((preferred + i) % all.size());
            if (!tried.contains(member)) {
                return choose(tried, member);
            }
        }
        return null;
    }

    private Member choose(Set<Member> tried, Member otherwise) {
        Member best = otherwise;
        long least = otherwise.avoidedNanos();
        for (int i = 0; i < all.size() && least > 0; i++) {
            Member member = all.get((preferred + i) % all.size());
            if (!tried.contains(member) && member.avoidedNanos() < least) {
                best = member;
                least = member.avoidedNanos();
            }
        }
        return best;
    }

    void answered(Member member) {
        member.trust();
        preferred = all.indexOf(member);
    }

    void failed(Member member) {
        member.avoid(AVOIDED_NANOS);
    }
}
