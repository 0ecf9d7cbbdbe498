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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** Who wants to know when an ownership is lost. It learns that from answers to writes, and from a watch of all holders. */
final class Losses implements AutoCloseable {
    private static final int PAGE = 256;
    private static final int REMEMBERED = 4_096;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Backend backend;
    private final HolderWatch watch;

    /** By holder key. Guarded by itself. */
    private final Map<Bytes, Map<Token<?>, CompletableFuture<Fenced>>> awaited = new HashMap<>();

    /**
     * What was seen lately, so that whoever asks after an answer has told it need not wait. A token that was lost is never
     * current again, so this is never wrong. Guarded by {@link #awaited}.
     */
    private final Map<Token<?>, Fenced> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Token<?>, Fenced> eldest) {
            return size() > REMEMBERED;
        }
    };

    Losses(Backend backend) {
        this.backend = backend;
        this.watch = new HolderWatch(backend, this::changed, this::checkAll);
    }

    CompletionStage<Fenced> of(Token<?> token) {
        Bytes key = OwnerKeys.holder(token.scope());
        CompletableFuture<Fenced> lost;
        synchronized (awaited) {
            Fenced known = seen.get(token);
            if (known != null) {
                return CompletableFuture.completedStage(known);
            }
            lost = awaited.computeIfAbsent(key, k -> new HashMap<>())
                    .computeIfAbsent(token, t -> new CompletableFuture<>());
        }
        watch.start();
        // it may have been lost before anybody asked
        check(List.of(key));
        return lost.minimalCompletionStage();
    }

    /** What stands was seen, on any thread. */
    void show(Token<?> token, Fenced standing) {
        // taken only where it is completed: a caller's answer that comes meanwhile must find it
        backend.callbacks().run(() -> tell(token, standing));
    }

    /** What stands is told to a caller; the stage has completed when this returns. Only on the callback executor. */
    void tell(Token<?> token, Fenced standing) {
        take(token, standing).ifPresent(lost -> lost.complete(standing));
    }

    @Override
    public void close() {
        watch.close();
        synchronized (awaited) {
            awaited.clear();
        }
    }

    /**
     * A watch tells late: what it shows may be older than a claim that was made meanwhile, and then says nothing of it. So
     * whoever seems to have lost is looked up.
     */
    private void changed(Bytes key, Optional<Entry> now) {
        if (awaited(key).stream().anyMatch(token -> isPast(token, now).isPresent())) {
            check(List.of(key));
        }
    }

    private List<Token<?>> awaited(Bytes key) {
        synchronized (awaited) {
            Map<Token<?>, CompletableFuture<Fenced>> of = awaited.get(key);
            return of == null ? List.of() : List.copyOf(of.keySet());
        }
    }

    private Optional<Fenced> isPast(Token<?> token, Optional<Entry> holder) {
        try {
            return Held.of(token, backend.engine().incarnation(), holder) instanceof Standing.Past<?> past
                    ? Optional.of(past.fenced())
                    : Optional.empty();
        } catch (CorruptStateException | IncompatibleFormatException e) {
            // who writes under the token is told; until then nobody has shown that it is lost
            return Optional.empty();
        }
    }

    private void checkAll() {
        List<Bytes> keys;
        synchronized (awaited) {
            keys = List.copyOf(awaited.keySet());
        }
        for (int from = 0; from < keys.size(); from += PAGE) {
            check(keys.subList(from, Math.min(from + PAGE, keys.size())));
        }
    }

    private void check(List<Bytes> keys) {
        if (keys.isEmpty()) {
            return;
        }
        // a token that is issued after the read began is none of its business
        Map<Bytes, List<Token<?>>> tokens = keys.stream().collect(Collectors.toMap(Function.identity(), this::awaited));
        backend.read(keys).whenComplete((found, failure) -> {
            if (failure == null) {
                Map<Bytes, Entry> present = found.stream().collect(Collectors.toMap(Entry::key, Function.identity()));
                tokens.forEach((key, asked) ->
                        asked.forEach(token -> isPast(token, Optional.ofNullable(present.get(key)))
                                .ifPresent(standing -> show(token, standing))));
            } else {
                CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS, backend.workers())
                        .execute(() -> check(stillAwaited(keys)));
            }
        });
    }

    private List<Bytes> stillAwaited(List<Bytes> keys) {
        synchronized (awaited) {
            return keys.stream().filter(awaited::containsKey).toList();
        }
    }

    private Optional<CompletableFuture<Fenced>> take(Token<?> token, Fenced standing) {
        Bytes key = OwnerKeys.holder(token.scope());
        synchronized (awaited) {
            seen.putIfAbsent(token, standing);
            Map<Token<?>, CompletableFuture<Fenced>> of = awaited.get(key);
            if (of == null) {
                return Optional.empty();
            }
            Optional<CompletableFuture<Fenced>> lost = Optional.ofNullable(of.remove(token));
            if (of.isEmpty()) {
                awaited.remove(key);
            }
            return lost;
        }
    }
}
