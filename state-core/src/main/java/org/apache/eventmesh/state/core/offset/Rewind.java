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
package org.apache.eventmesh.state.core.offset;

import java.util.OptionalLong;
import org.apache.eventmesh.state.core.shard.Place;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.jspecify.annotations.Nullable;

/** Moves a cursor anywhere, if the position is the expected one; what is open stays open and may hold the position back. */
record Rewind(Subscriber subscriber, Reset reset) implements ShardOperation<ResetResult> {
    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "reset";
    }

    @Override
    public ResetResult decide(ShardDraft draft) {
        Place place = Served.place(draft.index().reader(subscriber));
        OptionalLong position = position(draft);
        if (!position.equals(reset.expected())) {
            return new ResetResult.Unexpected(position);
        }
        draft.sync();
        // what was given up before may be delivered again
        draft.forgetDeadBefore(subscriber);
        draft.place(subscriber, moved(draft, place));
        return new ResetResult.Done(
                place == null ? OptionalLong.empty() : OptionalLong.of(place.cursor()),
                reset.to(),
                position(draft).orElseThrow());
    }

    @Override
    public ResetResult fenced(Fenced why) {
        return why;
    }

    private Place moved(ShardDraft draft, @Nullable Place place) {
        if (place == null) {
            return Place.entered(draft.number(), reset.generation(), reset.to());
        }
        Place moved = place.at(reset.to());
        return reset.generation().map(moved::in).orElse(moved);
    }

    private OptionalLong position(ShardDraft draft) {
        Reader reader = draft.index().reader(subscriber);
        return reader == null ? OptionalLong.empty() : reader.position();
    }
}
