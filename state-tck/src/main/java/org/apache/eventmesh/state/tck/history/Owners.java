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
package org.apache.eventmesh.state.tck.history;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Handle;
import org.apache.eventmesh.state.owner.Member;

/** Claims and releases that are recorded. */
final class Owners<K> {
    private final Recorder<K, ? super OwnerInput, Object> recorder;

    Owners(Recorder<K, ? super OwnerInput, Object> recorder) {
        this.recorder = recorder;
    }

    /** The handle, if it is known to be ours. */
    <H extends Handle<?>> Optional<H> claim(
            Caller caller, Life life, K thing, Function<Member, CompletionStage<ClaimResult<H>>> claim) {
        Member member = life.instance().member();
        OwnerInput input = new OwnerInput.Claim(member.holder(), false);
        var begun = recorder.begin(caller.name());
        Answer<ClaimResult<H>> answer = life.ask(claim.apply(member));
        begun.ended();
        begun.told(
                thing,
                input,
                answer.part(told ->
                        Answer.is(told.claimed().<Object>map(Handle::token).orElse(told))));
        return answer.value().flatMap(ClaimResult::claimed);
    }

    /** The handle, if it is known to be ours. */
    <H extends Handle<?>> Optional<H> takeOver(
            Caller caller, Life life, K thing, Function<Member, CompletionStage<H>> takeOver) {
        Member member = life.instance().member();
        OwnerInput input = new OwnerInput.Claim(member.holder(), true);
        var begun = recorder.begin(caller.name());
        Answer<H> answer = life.ask(takeOver.apply(member));
        begun.ended();
        begun.told(thing, input, answer.part(told -> Answer.<Object>is(told.token())));
        return answer.value();
    }

    /** Whoever owns it by this handle owns it no more. */
    void release(Caller caller, Life life, K thing, Handle<?> handle) {
        var begun = recorder.begin(caller.name());
        CompletionStage<String> released = handle.release().thenApply(done -> "released");
        Answer<String> answer = life.ask(released);
        begun.ended();
        begun.told(thing, new OwnerInput.Release(handle.token()), answer);
    }
}
