package io.osmhub.api.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.LocalSessionKeys;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.SelfSignedCertificate;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.peer.PeerReplicas.ReplicaDirectory;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Previews without a tenant that is served here. */
@ExtendWith(VertxExtension.class)
class ElsewhereTest {
    private final Operation render;
    private final Operation diff;

    ElsewhereTest(Vertx vertx) {
        PeerReplicas peers = new PeerReplicas(
                vertx,
                ApiContract.load(),
                new SelfSignedCertificate(List.of("localhost")),
                new ReplicaTickets(LocalSessionKeys.create(), InstantSource.system()),
                new NotAnswering(),
                Executors.newVirtualThreadPerTaskExecutor());
        Map<String, Operation> operations = new PreviewOperations(
                        new NothingServed(), new Everything(), peers, InstantSource.system(), System::nanoTime)
                .operations().stream().collect(Collectors.toMap(Operation::id, Function.identity()));
        render = Objects.requireNonNull(operations.get("render"));
        diff = Objects.requireNonNull(operations.get("diff"));
    }

    @ParameterizedTest
    @CsvSource({"t1, osm-hub-1", "t2, osm-hub-0"})
    void theReplicaIsNamedAndWhenToTryAgain(String tenant, String replica) {
        ApiProblem problem = refusal(tenant);

        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(problem.detail())
                .isEqualTo("replica " + replica + " of the hub does not answer for the tenant of namespace " + tenant
                        + " now; try again in 5 s");
    }

    /** The other replica has not published where it is reached. */
    private static final class NotAnswering implements ReplicaDirectory {
        @Override
        public String name() {
            return "osm-hub-0";
        }

        @Override
        public boolean serves(String namespace) {
            return false;
        }

        @Override
        public String servedBy(String namespace) {
            return namespace.equals("t1") ? "osm-hub-1" : "";
        }

        @Override
        public Map<String, String> others() {
            return Map.of("osm-hub-1", "");
        }
    }

    @Test
    void whereThereIsNoWorkerClusterNobodyIsAskedAgain() {
        assertThat(refusal("t3").status()).isEqualTo(404);
    }

    @Test
    void aTextThatIsNoProfileIsComparedWithNothing() {
        assertThat(errors("kind: [unclosed\nspec: {}\n")).first().satisfies(error -> assertThat(error.field())
                .startsWith("line "));
        assertThat(errors("just a text")).extracting(RequestError::detail).containsExactly("it contains no object");
        assertThat(errors("kind: OperatingSystemProfile\nspec: {}\n"))
                .extracting(RequestError::detail)
                .containsExactly("namespace or name is missing");
    }

    private List<RequestError> errors(String text) {
        JsonNode body = ApiJson.server().valueToTree(Map.of("changes", List.of(text)));
        return catchThrowableOfType(ApiProblem.class, () -> diff.execute(new Request(body)))
                .mistakes();
    }

    private ApiProblem refusal(String tenant) {
        return catchThrowableOfType(
                ApiProblem.class,
                () -> render.execute(new Request(ApiJson.server()
                        .readTree("{\"tenant\":\"" + tenant
                                + "\",\"machineDeployment\":{\"namespace\":\"kube-system\",\"name\":\"workers\"}}"))));
    }

    private record Request(JsonNode body) implements Call {
        @Override
        public Caller caller() {
            return new Caller("ann", "", List.of(), Map.of(), null);
        }

        @Override
        public String path(String name) {
            throw new AssertionError("render has no parts of a path");
        }

        @Override
        public Optional<String> query(String name) {
            return Optional.empty();
        }

        @Override
        public List<String> queryList(String name) {
            return List.of();
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public String requestId() {
            return "r-1";
        }

        @Override
        public boolean dryRun() {
            return false;
        }

        @Override
        public String uri() {
            return "/api/v1/render";
        }
    }

    private static final class Everything implements CallerAuthorizer {
        @Override
        public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) {
            return true;
        }

        @Override
        public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) {
            return VisibleTenants.EVERYWHERE;
        }
    }

    /** t1 and t2 have a WorkerCluster. */
    private static final class NothingServed implements HubQueries {
        @Override
        public Optional<LiveTenant> live(String namespace) {
            return Optional.empty();
        }

        @Override
        public List<LiveTenant> live() {
            return List.of();
        }

        @Override
        public Optional<WorkerClusterRecord> workerCluster(String namespace) {
            return namespace.equals("t3")
                    ? Optional.empty()
                    : Optional.of(WorkerClusterRecord.fixed(namespace, "prod"));
        }

        @Override
        public Collection<WorkerClusterRecord> workerClusters() {
            return List.of();
        }

        @Override
        public Optional<StoredProfile> profile(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public Optional<StoredConfig> config(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public OperatingSystemConfig read(StoredConfig config) {
            throw new AssertionError("nothing is stored");
        }

        @Override
        public String read(StoredProfile profile) {
            throw new AssertionError("nothing is stored");
        }

        @Override
        public <T> T compute(String caller, Supplier<T> work) {
            return work.get();
        }

        @Override
        public String sharedProfileNamespace() {
            return "osm-profiles";
        }
    }
}
