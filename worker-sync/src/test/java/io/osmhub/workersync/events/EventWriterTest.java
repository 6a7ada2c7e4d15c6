package io.osmhub.workersync.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.EventRecorder.Action;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventWriterTest {
    private static final Regarding MACHINE_DEPLOYMENT =
            new Regarding("cluster.k8s.io/v1alpha1", "MachineDeployment", "kube-system", "workers", "u-1");
    private static final Regarding WORKER_CLUSTER =
            new Regarding("osmhub.io/v1alpha1", "WorkerCluster", "cluster-x7f", "x7f", null);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final EventWriter events =
            new EventWriter(new CurrentConnection(server.api()), time, time, new Random(1), "replica-0");

    private void tell(String message) {
        events.recordEvent(MACHINE_DEPLOYMENT, null, Problem.ofMessage(Reason.NameCollision, message), Action.PUBLISH);
    }

    private List<ObjectNode> stored() {
        return server.all(Resource.EVENTS);
    }

    @Test
    void writesAnEventWithoutLettingAnybodyWait() {
        tell("the sentence");
        assertThat(stored()).isEmpty();

        time.settle();

        assertThat(stored()).singleElement().satisfies(event -> {
            assertThat(event.at("/metadata/namespace").asText()).isEqualTo("kube-system");
            assertThat(event.at("/reason").asText()).isEqualTo("NameCollision");
            assertThat(event.at("/type").asText()).isEqualTo("Warning");
            assertThat(event.at("/note").asText()).isEqualTo("the sentence");
            assertThat(event.at("/action").asText()).isEqualTo("Publish");
            assertThat(event.at("/reportingController").asText()).isEqualTo("osmhub.io/hub");
            assertThat(event.at("/reportingInstance").asText()).isEqualTo("replica-0");
            assertThat(event.at("/eventTime").asText()).isEqualTo("2026-03-01T10:00:00.000000Z");
            assertThat(event.at("/regarding/uid").asText()).isEqualTo("u-1");
        });
    }

    @Test
    void writesToTheCoreGroupWhereTheOtherIsForbidden() {
        server.forbid(request -> request.resource() == Resource.EVENTS);
        tell("the sentence");
        time.pass(Duration.ofMinutes(1));
        tell("the sentence");
        time.settle();

        assertThat(server.requests())
                .filteredOn(request -> request.verb() == Verb.CREATE && request.resource() == Resource.CORE_EVENTS)
                .singleElement()
                .satisfies(request -> assertThat(request.body()).contains("\"apiVersion\":\"v1\""));
        assertThat(server.all(Resource.CORE_EVENTS)).singleElement().satisfies(event -> {
            assertThat(event.at("/message").asText()).isEqualTo("the sentence");
            assertThat(event.at("/involvedObject/uid").asText()).isEqualTo("u-1");
            assertThat(event.at("/reportingComponent").asText()).isEqualTo("osmhub.io/hub");
            assertThat(event.at("/series/count").asInt()).isEqualTo(2);
        });
        assertThat(server.refusals()).isEqualTo(1);
    }

    @Test
    void countsWhatHappensAgain() {
        tell("the sentence");
        time.pass(Duration.ofMinutes(1));
        tell("the sentence");
        time.pass(Duration.ofMinutes(9));
        tell("the sentence");
        time.settle();

        assertThat(stored()).singleElement().satisfies(event -> {
            assertThat(event.at("/series/count").asInt()).isEqualTo(3);
            assertThat(event.at("/series/lastObservedTime").asText()).isEqualTo("2026-03-01T10:10:00.000000Z");
        });
    }

    @Test
    void beginsANewOneAfterTenMinutes() {
        tell("the sentence");
        time.pass(Duration.ofMinutes(11));
        tell("the sentence");
        time.settle();

        assertThat(stored()).hasSize(2);
    }

    @Test
    void sendsNoMoreThanTenInAMinute() {
        for (int i = 0; i < 100; i++) {
            tell("sentence " + i);
        }
        time.settle();
        assertThat(server.requests()).hasSize(10);

        time.pass(Duration.ofMinutes(1));
        tell("sentence 99");
        time.settle();

        assertThat(server.requests()).hasSize(11);
    }

    private void tellAndSettle(String message) {
        tell(message);
        time.settle();
    }

    @Test
    void aRepetitionBeyondTheBudgetIsCountedInTheSameEventLater() {
        for (int i = 0; i < 10; i++) {
            tellAndSettle("sentence " + i);
        }
        tellAndSettle("sentence 3");
        tellAndSettle("sentence 10");
        time.pass(Duration.ofMinutes(2));

        tellAndSettle("sentence 3");
        tellAndSettle("sentence 10");

        assertThat(stored()).hasSize(11);
        assertThat(stored())
                .filteredOn(event -> event.at("/note").asText().equals("sentence 3"))
                .singleElement()
                .satisfies(
                        event -> assertThat(event.at("/series/count").asInt()).isEqualTo(3));
    }

    @Test
    void aRepetitionThatCannotBeWrittenIsCountedLater() {
        tellAndSettle("the sentence");
        server.reject(request -> ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no response"));
        tellAndSettle("the sentence");
        server.reject(request -> null);
        tellAndSettle("the sentence");

        assertThat(stored()).singleElement().satisfies(event -> assertThat(
                        event.at("/series/count").asInt())
                .isEqualTo(3));
    }

    @Test
    void aRepetitionOfADeletedEventIsANewOne() {
        tellAndSettle("the sentence");
        server.remove(
                Resource.EVENTS,
                "kube-system",
                stored().getFirst().at("/metadata/name").asText());
        tellAndSettle("the sentence");
        assertThat(stored()).isEmpty();

        tellAndSettle("the sentence");

        assertThat(stored()).hasSize(1);
    }

    @Test
    void aFloodOfDifferentEventsThatRecurIsBoundedAndTheKnownOnesAreStillCounted() {
        for (int minute = 0; minute < 30; minute++) {
            for (int i = 0; i < 10; i++) {
                tellAndSettle("sentence " + minute + "-" + i);
            }
            for (int known = 0; known < minute * 10; known++) {
                tellAndSettle("sentence " + known / 10 + "-" + known % 10);
            }
            time.pass(Duration.ofMinutes(1));
        }
        assertThat(stored()).hasSize(200);

        tellAndSettle("sentence 0-0");

        assertThat(stored()).hasSize(200);
        assertThat(stored())
                .filteredOn(event -> event.at("/note").asText().equals("sentence 0-0"))
                .singleElement()
                .satisfies(
                        event -> assertThat(event.at("/series/count").asInt()).isEqualTo(31));
    }

    @Test
    void namesTheSecondObject() {
        events.recordEvent(
                WORKER_CLUSTER, MACHINE_DEPLOYMENT, Problem.ofMessage(Reason.ProblemResolved, "x"), Action.RENDER);
        time.settle();

        assertThat(stored()).singleElement().satisfies(event -> {
            assertThat(event.at("/related/name").asText()).isEqualTo("workers");
            assertThat(event.at("/type").asText()).isEqualTo("Normal");
        });
    }

    @Test
    void usesTheWordThatPeopleOfThePeerWaitFor() {
        Reason reason = Reason.ProfileOperatingSystemMismatch;
        events.recordEvent(MACHINE_DEPLOYMENT, null, Problem.ofMessage(reason, "x"), Action.RENDER);
        time.settle();

        assertThat(stored().getFirst().at("/reason").asText())
                .isEqualTo(reason.description().eventReason());
    }

    @Test
    void losesOnlyTheEventWhenItMayNotWrite() {
        server.failEverything(SimulatedServer.status(403, "Forbidden", "no"));
        tell("the sentence");
        time.settle();
        server.failEverything(null);

        tell("the sentence");
        time.settle();

        assertThat(stored()).hasSize(1);
        assertThat(server.count(Verb.CREATE)).isEqualTo(3);
    }

    @Test
    void cutsALongNote() {
        tell("ä".repeat(1000));
        time.settle();

        assertThat(stored().getFirst().at("/note").asText()).hasSize(512);
    }
}
