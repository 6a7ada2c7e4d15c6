package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines can fetch at any time, each with its MachineDeployment's token. */
final class FetchTokenTest {
    private static final String NAMESPACE = "kube-system";
    private static final String NAME = "workers";
    private static final ObjectNames NAMES = new ObjectNames(NAMESPACE, NAME);

    private final SyncWorld world = new SyncWorld();

    @BeforeEach
    void grant() {
        world.mayGrant(true);
        world.nodeFetch(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.SCOPED_TOKEN);
        world.machineDeployment(NAMESPACE, NAME);
    }

    /** Null while the shared one is published. */
    private @Nullable FetchToken published() {
        var secret = world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, NAMES.bootstrapSecret());
        String text = Objects.requireNonNull(secret)
                .at("/data/" + FetchToken.SECRET_KEY)
                .asText();
        return FetchToken.read(new Sensitive(new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8)));
    }

    private FetchToken token() {
        return Objects.requireNonNull(published());
    }

    private void assertMachinesCanFetch() {
        FetchToken token = token();
        var account = world.worker.object(Resource.SERVICE_ACCOUNTS, SyncWorld.SETTINGS, NAMES.fetchAccount());
        assertThat(Objects.requireNonNull(account).at("/metadata/uid").asText()).isEqualTo(token.accountUid());
        assertThat(world.worker.object(Resource.ROLES, SyncWorld.SETTINGS, NAMES.fetchAccount()))
                .isNotNull();
        assertThat(world.worker.object(Resource.ROLE_BINDINGS, SyncWorld.SETTINGS, NAMES.fetchAccount()))
                .isNotNull();
        assertThat(Duration.between(world.time.now(), token.expiration()))
                .isGreaterThanOrEqualTo(Duration.ofMinutes(20));
    }

    private Stream<ApiRequest> writes() {
        return world.worker.requests().stream()
                .filter(request -> request.verb().writes() && request.resource() != Resource.EVENTS);
    }

    private Stream<Reason> problems() {
        return world.hub().status().machineDeployments().stream()
                .flatMap(state -> state.problems().stream())
                .map(Problem::reason);
    }

    @Test
    void aNewMachineDeploymentTakesFourRequestsMore() {
        world.start();

        // The sixth without them goes to the management cluster.
        assertThat(writes()).hasSize(5 + 4);
        assertThat(world.worker.requests()).noneMatch(request -> request.verb() == Verb.GET);
        assertMachinesCanFetch();
    }

    @Test
    void aHubThatStartsAgainWritesNothing() {
        world.start();
        FetchToken before = token();
        world.kill();
        world.forgetRequests();

        world.start();

        assertThat(writes()).isEmpty();
        assertThat(token()).isEqualTo(before);
    }

    @Test
    void lastsForThreeDaysWithAnOutageOfTheHub() {
        world.start();
        FetchToken first = token();
        for (int minute = 0; minute < 72 * 60; minute += 5) {
            if (minute == 20 * 60) {
                world.kill();
            }
            if (minute == 20 * 60 + 40) {
                world.start();
            }
            world.pass(Duration.ofMinutes(5));
            assertMachinesCanFetch();
        }
        assertThat(token()).isNotEqualTo(first);
        assertThat(world.worker.requests().stream()
                        .filter(request -> request.subresource().equals("token")))
                .hasSizeBetween(25, 32);
    }

    @Test
    void aRenewalTellsNobody() {
        world.start();
        world.pass(Duration.ofMinutes(1));
        List<String> events = world.events();
        FetchToken first = token();

        world.pass(Duration.ofHours(3));

        assertThat(token()).isNotEqualTo(first);
        assertThat(world.events()).isEqualTo(events);
        assertThat(problems()).isEmpty();
    }

    @Test
    void whatIsDeletedComesBackAtOnce() {
        world.start();
        for (Resource resource : List.of(Resource.ROLES, Resource.ROLE_BINDINGS, Resource.SERVICE_ACCOUNTS)) {
            world.worker.remove(resource, SyncWorld.SETTINGS, NAMES.fetchAccount());

            world.pass(Duration.ofSeconds(1));

            assertMachinesCanFetch();
        }
    }

    @Test
    void whenNoTokenIsGivenTheOldOneStaysAndPeopleAreTold() {
        world.start();
        FetchToken first = token();
        world.worker.faults(
                (request, number) -> request.subresource().equals("token") ? SimulatedServer.Fault.REFUSED : null);

        world.pass(Duration.ofMinutes(200));

        assertThat(token()).isEqualTo(first);
        assertThat(problems()).contains(Reason.PublishRetrying);
        world.pass(Duration.ofMinutes(30));
        assertThat(problems()).contains(Reason.FetchTokenExpiring);

        world.worker.faults((request, number) -> null);
        world.pass(Duration.ofMinutes(10));

        assertMachinesCanFetch();
        assertThat(problems()).isEmpty();
    }

    @Test
    void whileTheProfileIsMissingTheTokenIsRenewedAllTheSame() {
        world.start();
        FetchToken first = token();
        world.noProfile(new Problem(
                Reason.ProfileNotFound,
                ProblemObject.of("OperatingSystemProfile", "osp-ubuntu"),
                "",
                "it is missing",
                ""));

        world.pass(Duration.ofHours(4));

        assertMachinesCanFetch();
        assertThat(token()).isNotEqualTo(first);
        assertThat(Objects.requireNonNull(world.value(NAMES.bootstrapSecret()))).isNotEmpty();
    }

    @Test
    void aRightThatIsTakenAwayIsNoticedAndTheSharedTokenTakesOver() {
        world.start();
        world.worker.remove(Resource.SERVICE_ACCOUNTS, SyncWorld.SETTINGS, NAMES.fetchAccount());
        world.worker.failWrites(new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null));
        world.pass(Duration.ofSeconds(2));
        assertThat(world.failures).anyMatch(ApiFailure::isForbidden);

        world.worker.failWrites(null);
        world.mayGrant(false);
        world.pass(Duration.ofSeconds(2));

        assertThat(published()).isNull();
        world.mayGrant(true);
        world.pass(Duration.ofSeconds(2));
        assertMachinesCanFetch();
    }

    @Test
    void withTheMachineDeploymentAllOfItGoes() {
        world.start();
        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, NAMESPACE, NAME);
        world.pass(Duration.ofSeconds(30));

        for (Resource resource : List.of(Resource.ROLES, Resource.ROLE_BINDINGS, Resource.SERVICE_ACCOUNTS)) {
            assertThat(world.worker.all(resource)).isEmpty();
        }
    }
}
