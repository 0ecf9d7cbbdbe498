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
package org.apache.eventmesh.state.tck.contract;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** E03, E05 and E07: what a former owner can do, which is nothing, in all six stores. */
public interface FencingRules extends Rules {
    String OWNED = "org.apache.eventmesh.state.tck.contract.Operation#needsToken";

    @ParameterizedTest(name = "{0}")
    @MethodSource(OWNED)
    default void required_E03_a_write_after_a_takeover_is_fenced_and_changes_nothing(String operation) {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        scene.takeOverBy(b);
        Map<String, Object> before = Digest.of(scene, b.stores());

        List<Object> answers = Operation.answers(Operation.named(operation).on(scene));

        Token<?> stands = standing(b, scopeOf(operation, scene));
        assertThat(answers)
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                Fenced.class,
                                fenced -> assertThat(fenced.current())
                                        .hasValue(new Fenced.Current(
                                                stands.epoch(), b.member().holder()))));
        assertThat(Digest.of(scene, b.stores())).isEqualTo(before);
        eventually(() -> assertThat(a.events().of(Events.WasFenced.class))
                .anySatisfy(event -> assertThat(event.currentEpoch()).isEqualTo(stands.epoch())));
    }

    private static Scope scopeOf(String operation, Scene scene) {
        return switch (operation.substring(0, operation.indexOf('.'))) {
            case "client" -> scene.client.token().scope();
            case "agent" -> scene.agent.token().scope();
            case "task" -> scene.task.id();
            default -> scene.partition;
        };
    }

    private Token<?> standing(Instance at, Scope scope) {
        return get(at.stores().ownership().owner(scope)).orElseThrow().token();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(OWNED)
    default void required_E03_an_epoch_that_was_never_issued_is_fenced(String operation) {
        Instance a = open("A");
        Scene scene = new Scene("s", a).withEpochs(+1_000);
        Map<String, Object> before = Digest.of(scene, a.stores());

        List<Object> answers = Operation.answers(Operation.named(operation).on(scene));

        assertThat(answers).isNotEmpty().hasOnlyElementsOfType(Fenced.class);
        assertThat(Digest.of(scene, a.stores())).isEqualTo(before);
    }

    @Test
    default void required_E03_a_write_where_nobody_owns_any_more_is_fenced_by_nobody() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(scene.shard.release());

        assertThat(get(scene.shard.ack(scene.ack(0))))
                .isInstanceOfSatisfying(
                        Fenced.class, fenced -> assertThat(fenced.current()).isEmpty());
    }

    @Test
    default void required_E03_a_lost_ownership_is_told_once_on_the_handle() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        assertThat(scene.shard.lost().toCompletableFuture()).isNotDone();
        scene.takeOverBy(b);

        get(scene.shard.ack(scene.ack(0)));
        get(scene.client.register(scene.interest("t")));
        get(scene.agent.heartbeat(true, 0));
        Operation.answers(Operation.named("task.move").on(scene));

        for (CompletionStage<Fenced> lost :
                List.of(scene.shard.lost(), scene.client.lost(), scene.agent.lost(), scene.ownedTask.lost())) {
            assertThat(get(lost).current())
                    .hasValueSatisfying(current ->
                            assertThat(current.holder()).isEqualTo(b.member().holder()));
        }
    }

    /** It waits for a write of its own, and what it read before that is of another time than what it looks at then. */
    @Test
    default void required_E03_an_owner_that_was_replaced_is_not_answered_with_what_its_successor_wrote() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        CompletableFuture<Void> sent = new CompletableFuture<>();
        CompletableFuture<Void> applied = new CompletableFuture<>();
        CompletableFuture<Void> heard = new CompletableFuture<>();
        a.faults()
                .on(
                        Which.next(),
                        apply -> sent.thenCompose(go -> apply.get()).thenCompose(result -> {
                            applied.complete(null);
                            return heard.thenApply(go -> result);
                        }));
        CompletionStage<TransitionResult> first = scene.ownedTask.move(scene.task, TaskChange.to(TaskState.WORKING));
        CompletionStage<TransitionResult> second = scene.ownedTask.move(scene.task, TaskChange.to(TaskState.COMPLETED));
        sent.complete(null);
        get(applied);

        Task between = get(b.stores().tasks().find(scene.task.id())).orElseThrow();
        OwnedTask now = get(b.stores().tasks().takeOver(b.member(), scene.task.id()));
        assertThat(get(now.move(between, TaskChange.to(TaskState.INPUT_REQUIRED))))
                .isInstanceOf(TransitionResult.Moved.class);
        heard.complete(null);

        assertThat(get(first)).isEqualTo(new TransitionResult.Moved(between));
        assertThat(get(second))
                .satisfiesAnyOf(
                        answer -> assertThat(answer).isInstanceOf(Fenced.class),
                        answer -> assertThat(answer).isEqualTo(new TransitionResult.Conflict(between)));
    }

    @Test
    default void required_E03_a_handle_made_again_from_its_token_writes_as_the_first() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Shard again = a.stores().deliveries().shard(scene.shard.token());

        assertThat(Operation.answers(again.ack(scene.ack(0)))).noneMatch(Fenced.class::isInstance);
        assertThat(Operation.answers(
                        a.stores().subscriptions().client(scene.client.token()).register(scene.interest("t"))))
                .noneMatch(Fenced.class::isInstance);
        assertThat(Operation.answers(
                        a.stores().sessions().agent(scene.agent.token()).heartbeat(true, 3)))
                .noneMatch(Fenced.class::isInstance);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(OWNED)
    default void required_E05_a_paused_owner_that_wakes_after_a_takeover_changes_nothing(String operation) {
        Instance a = kit().open("A", settings -> settings.deadline(Duration.ofHours(1)));
        Instance b = open("B");
        b.member();
        Scene scene = new Scene("s", a);
        CompletionStage<?> asleep = stoppedWithItsCommitsOnTheWay(a, Operation.named(operation), scene);
        passTime(Instance.LEASE.plusSeconds(1));
        claimEverything(b, scene);
        Map<String, Object> before = Digest.of(scene, b.stores());

        a.resume();

        assertThat(Operation.answers(asleep)).isNotEmpty().hasOnlyElementsOfType(Fenced.class);
        assertThat(Digest.of(scene, b.stores())).isEqualTo(before);
    }

    /**
     * The worst moment: the library has checked all that it can check, and its commits are sent. They arrive when the
     * instance is resumed, before it hears of anything.
     */
    private CompletionStage<?> stoppedWithItsCommitsOnTheWay(Instance a, Operation operation, Scene scene) {
        Hold sent = a.faults().hold(Which.every());
        CompletionStage<?> asleep = operation.on(scene);
        eventually(
                () -> assertThat(sent.size() > 0 || asleep.toCompletableFuture().isDone())
                        .isTrue());
        a.pause();
        a.faults().disarm();
        sent.release();
        return asleep;
    }

    /** Claims, and does not take over: the leases have ended. */
    private void claimEverything(Instance b, Scene scene) {
        b.shard(scene.partition);
        b.client(scene.client.token().scope().value());
        StateStores stores = b.stores();
        assertThat(get(stores.sessions().register(b.member(), scene.agentSpec(), Scene.AGENT_LEASE))
                        .claimed())
                .isPresent();
        assertThat(get(stores.tasks().claim(b.member(), scene.task.id())).claimed())
                .isPresent();
    }

    @Test
    default void scenario_03_a_paused_instance_cannot_write_for_an_agent_that_another_took_over() {
        Instance a = kit().open("A", settings -> settings.deadline(Duration.ofHours(1)));
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        CompletionStage<?> heartbeat = stoppedWithItsCommitsOnTheWay(a, Operation.named("agent.heartbeat"), scene);
        CompletionStage<Void> unregister = scene.agent.release();

        OwnedAgent now = get(b.stores().sessions().takeOver(b.member(), scene.agentSpec(), Scene.AGENT_LEASE));
        get(now.heartbeat(true, 42));
        a.resume();

        assertThat(Operation.answers(heartbeat)).singleElement().isInstanceOf(Fenced.class);
        get(unregister);
        assertThat(get(scene.agent.heartbeat(false, 7))).isInstanceOf(Fenced.class);
        get(scene.agent.release());
        assertThat(get(b.stores().sessions().find(scene.agent.token().scope()))).hasValueSatisfying(agent -> {
            assertThat(agent.load()).isEqualTo(42);
            assertThat(agent.ready()).isTrue();
            assertThat(agent.epoch()).isEqualTo(now.token().epoch());
            assertThat(agent.holder()).isEqualTo(b.member().holder());
        });
    }

    @Test
    default void required_E07_what_is_conditional_on_what_was_read_needs_no_token() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        scene.takeOverBy(b);

        assertThat(get(a.stores().deadLetters().replay(scene.letter, RequestKey.of("k"))))
                .isEqualTo(new ReplayResult.Queued());
        assertThat(get(a.stores().tasks().cancel(scene.task.id(), scene.task.version(), "no")))
                .isInstanceOf(TransitionResult.Moved.class);
        assertThat(get(a.stores().sessions().bind(scene.agentAsRead, new SessionId("new"))))
                .as("the agent's epoch is not the one that was read")
                .isEqualTo(new BindResult.AgentGone());
        eventually(() -> assertThat(get(b.stores().deadLetters().find(scene.letter.id())))
                .as("the owner finishes the replay")
                .isEmpty());
        assertThat(get(a.stores().deadLetters().purge(scene.letter))).isEqualTo(new PurgeResult.Gone());
    }

    @Test
    default void required_E07_a_token_is_good_for_its_own_scope_only() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Token<Partition> own = scene.shard.token();
        Shard other =
                a.stores().deliveries().shard(new Token<>(own.incarnation(), ORDERS_0, own.epoch(), own.holder()));

        assertThat(get(other.withdraw(scene.reader))).isInstanceOf(Fenced.class);
        SoftAssertions soft = new SoftAssertions();
        Map<String, CompletionStage<?>> strangers = new LinkedHashMap<>();
        strangers.put("handOut", other.handOut(1, Duration.ofSeconds(1), due -> Optional.empty()));
        strangers.put("open", other.open(Examples.range(0, 1, scene.reader)));
        strangers.forEach((what, stage) ->
                soft.assertThat(Operation.answers(stage)).as(what).isNotEmpty().hasOnlyElementsOfType(Fenced.class));
        soft.assertAll();
    }

    @Test
    default void required_E07_scopes_of_different_kinds_with_one_name_have_owners_of_their_own() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        String name = scene.task.id().value();
        OwnedClient client = b.client(name);
        AgentSpec spec = new AgentSpec(new AgentId(name), "kind", 1, Attributes.NONE);
        OwnedAgent agent = get(b.stores().sessions().register(b.member(), spec, Scene.AGENT_LEASE))
                .claimed()
                .orElseThrow(() -> new AssertionError("the agent " + name + " is held by the owner of the task"));

        assertThat(get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.WORKING))))
                .isInstanceOf(TransitionResult.Moved.class);
        assertThat(get(agent.heartbeat(true, 1))).isNotInstanceOf(Fenced.class);
        assertThat(get(client.register(scene.interest("t")))).isNotInstanceOf(Fenced.class);
        assertThat(standing(a, scene.task.id())).isEqualTo(scene.ownedTask.token());
        assertThat(standing(a, agent.token().scope())).isEqualTo(agent.token());
        assertThat(standing(a, client.token().scope())).isEqualTo(client.token());
    }
}
