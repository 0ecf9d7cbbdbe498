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

import java.util.Collection;
import java.util.Optional;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;

/**
 * An ownership as it stood in the backend. Nothing but a claim or a release changes the holder record, so while it has
 * this revision the token is current.
 *
 * @param fence holds exactly while the token is current; every write under the token carries it
 */
public record Held<S extends Scope>(Token<S> token, Condition fence) {
    /** What a commit that made the ownership was applied under. */
    static <S extends Scope> Held<S> since(Token<S> token, long revision) {
        return new Held<>(token, new Condition(OwnerKeys.holder(token.scope()), revision));
    }

    /**
     * What a refused commit that carried the fence says of the ownership; empty when the token is still current, so that
     * another condition did not hold.
     *
     * @param current as {@code CommitResult.Refused} gave them
     */
    public Optional<Fenced> fenced(Collection<Entry> current) {
        Optional<Entry> holder = current.stream()
                .filter(entry -> entry.key().equals(fence.key()))
                .findAny();
        return holder.isPresent() && holder.get().revision() == fence.revision()
                ? Optional.empty()
                : Optional.of(standing(holder));
    }

    /**
     * A token against the holder record as it was read.
     *
     * @param incarnation of the data set; a token of another is never current
     * @param holder the record under {@link OwnerKeys#holder}; empty when nobody owns
     */
    public static <S extends Scope> Standing<S> of(Token<S> token, String incarnation, Optional<Entry> holder) {
        if (holder.isPresent() && token.incarnation().equals(incarnation)) {
            Stored<HolderRecord> stored = Records.HOLDER.decode(holder.get());
            if (ofIncarnation(stored.record(), incarnation)
                    && stored.record().getEpoch() == token.epoch()
                    && stored.record().getProcess().equals(token.holder().process())) {
                return new Standing.Current<>(new Held<>(token, stored.unchanged()));
            }
        }
        return new Standing.Past<>(standing(holder));
    }

    /** A local copy says of which shared data set it is. */
    private static boolean ofIncarnation(HolderRecord record, String incarnation) {
        return !record.hasIncarnation() || record.getIncarnation().equals(incarnation);
    }

    /** The answer to a token that is not current. */
    static Fenced standing(Optional<Entry> holder) {
        return new Fenced(holder.map(Records.HOLDER::decode)
                .map(stored -> new Fenced.Current(stored.record().getEpoch(), holder(stored.record()))));
    }

    static Holder holder(HolderRecord record) {
        return new Holder(record.getInstance(), record.getProcess());
    }

    /** The token of the ownership that stands. */
    static <S extends Scope> Token<S> token(String incarnation, S scope, Entry holder) {
        HolderRecord record = Records.HOLDER.decode(holder).record();
        return new Token<>(incarnation, scope, record.getEpoch(), holder(record));
    }
}
