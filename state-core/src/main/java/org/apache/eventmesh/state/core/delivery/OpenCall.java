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
package org.apache.eventmesh.state.core.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.SteppedCall;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Source;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Outcome;

/** The opening of a batch, commit by commit; what was opened before a failure stays, the rest is refused. */
final class OpenCall extends SteppedCall<OpenReport> {
    private final Positions positions;
    private final OpenBatch batch;
    private final int size;

    /** Guarded by this, as all below: the time may be over while a part is told. */
    private final List<Outcome<OpenResult>> outcomes = new ArrayList<>();

    private Optional<Entering> entering = Optional.empty();
    private OpenPlace place = OpenPlace.START;
    private Map<Subscriber, Long> cursors = Map.of();

    OpenCall(ShardLoop loop, Positions positions, OpenBatch batch) {
        super(loop, new Operation(StoreName.DELIVERIES, "open", loop.token().scope()));
        this.positions = positions;
        this.batch = batch;
        this.size = batch.messages().stream().mapToInt(m -> m.targets().size()).sum();
    }

    @Override
    protected void first() {
        int limit = loop().settings().limits().batch();
        int elements = Math.max(size, batch.messages().size());
        if (elements > limit) {
            fail(new LimitExceededException("the batch has " + elements + " elements, the limit is " + limit
                    + "; nothing was opened, open smaller batches"));
        } else if (loop().sides().two() && batch.source() instanceof Source.Range range) {
            run(new Beginning(new LinkedHashSet<>(range.readers())), begun -> enter(range, begun));
        } else {
            next();
        }
    }

    /** Over two backends: where another host would begin is known before a subscriber counts here. */
    private void enter(Source.Range range, Beginning.Answer begun) {
        if (begun instanceof Beginning.Answer.Lost lost) {
            answer(lost(lost.why()));
            return;
        }
        Entering found = ((Beginning.Answer.Begun) begun).entering();
        synchronized (this) {
            entering = Optional.of(found);
        }
        if (found.subscribers().isEmpty()) {
            next();
            return;
        }
        Course course = Transition.ENTER.begin();
        Map<Subscriber, Long> at = new HashMap<>();
        found.subscribers().forEach(subscriber -> at.put(subscriber, range.from()));
        course.at(Step.ENTRY);
        positions
                .enter(loop(), at, Optional.of(range.generation()), found.number())
                .whenComplete((fenced, failure) -> {
                    if (failure != null) {
                        fail(failure);
                    } else if (fenced.isPresent()) {
                        answer(lost(fenced.get()));
                    } else {
                        course.at(Step.ENTERED);
                        next();
                    }
                });
    }

    private void next() {
        run(new OpenStep(batch, place, entering, loop().settings().limits()), this::part);
    }

    private void part(OpenPart part) {
        if (part instanceof OpenPart.Lost lost) {
            answer(lost(lost.why()));
            return;
        }
        OpenPart.Done done = (OpenPart.Done) part;
        synchronized (this) {
            outcomes.addAll(done.outcomes());
            place = done.place();
            cursors = done.cursors();
        }
        applied();
        if (done.stopped().isPresent()) {
            answer(report(done.stopped().map(this::explained)));
        } else if (done.done()) {
            answer(report(Optional.empty()));
        } else {
            next();
        }
    }

    @Override
    protected OpenReport ended(StateStoreException why) {
        if (!tellsFailures()) {
            throw why;
        }
        return report(Optional.of(explained(why)));
    }

    /** Whether the report has a place for a failure: messages that nobody wants have neither an outcome nor a reader. */
    private boolean tellsFailures() {
        return size > 0
                || (batch.source() instanceof Source.Range range
                        && !range.readers().isEmpty());
    }

    private synchronized OpenReport report(Optional<StateStoreException> rest) {
        List<Outcome<OpenResult>> all = new ArrayList<>(outcomes);
        rest.ifPresent(why -> {
            while (all.size() < size) {
                all.add(new Outcome.Failed<>(why));
            }
        });
        Map<Subscriber, Outcome<ReaderResult>> readers = new HashMap<>();
        if (batch.source() instanceof Source.Range range) {
            range.readers().forEach(reader -> readers.put(reader, reader(reader, rest)));
        }
        return new OpenReport(all, readers, readNext());
    }

    private Outcome<ReaderResult> reader(Subscriber subscriber, Optional<StateStoreException> rest) {
        OpenReader reader = place.readers().get(subscriber);
        if (reader instanceof OpenReader.Refused refused) {
            return new Outcome.Done<>(refused.place());
        } else if (reader instanceof OpenReader.Failed failed) {
            return new Outcome.Failed<>(failed.why());
        } else if (reader instanceof OpenReader.Gone) {
            return new Outcome.Done<>(new ReaderResult.Gone());
        }
        Long cursor = cursors.get(subscriber);
        // after a write of unknown fate it may be further by now
        return cursor == null
                        || rest.filter(OutcomeUnknownException.class::isInstance)
                                .isPresent()
                ? new Outcome.Failed<>(rest.orElseThrow())
                : new Outcome.Done<>(new ReaderResult.At(cursor));
    }

    /** Also the cursors of refused readers say where to read. */
    private OptionalLong readNext() {
        return place.readers().entrySet().stream()
                .flatMapToLong(reader -> {
                    if (reader.getValue() instanceof OpenReader.Refused refused
                            && refused.answer() instanceof OpenResult.OutOfOrder gap) {
                        return LongStream.of(gap.cursor());
                    }
                    Long cursor = cursors.get(reader.getKey());
                    return cursor == null ? LongStream.empty() : LongStream.of(cursor);
                })
                .min();
    }

    private synchronized OpenReport lost(Fenced why) {
        List<Outcome<OpenResult>> all = new ArrayList<>(outcomes);
        while (all.size() < size) {
            all.add(new Outcome.Done<>(why));
        }
        Map<Subscriber, Outcome<ReaderResult>> readers = new HashMap<>();
        if (batch.source() instanceof Source.Range range) {
            range.readers().forEach(reader -> readers.put(reader, new Outcome.Done<>(why)));
        }
        return new OpenReport(all, readers, OptionalLong.empty());
    }
}
