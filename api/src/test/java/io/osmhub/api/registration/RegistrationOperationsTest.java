package io.osmhub.api.registration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.EffectiveSettings;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registration.DuplicateCheck;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegistrationOperationsTest {
    private static final String CANARY = "c4n4ry-token-that-nobody-may-see";
    private final SimulatedServer management = new SimulatedServer(new VirtualTime());
    private final Set<String> allowed =
            new HashSet<>(Set.of("get workerclusters", "create workerclusters", "create secrets"));
    private String invisible = "";
    private final List<WorkerClusterRecord> registered = new ArrayList<>();
    private final RegistrationOperations operations = new RegistrationOperations(
            new Registrar(
                    management.api(),
                    (subject, kubeconfig) -> new TestedConnection(report(), null, () -> {}),
                    namespace -> new EgressPolicy(KubeconfigPolicy.DEFAULT.forNamespace(Map.of()), Set.of(), Set.of()),
                    Registrar.NamespaceAccess.NOT_REVIEWED,
                    new DuplicateCheck(management.api(), () -> registered, record -> true)),
            new Rights(),
            namespace -> new SettingsLayer(
                    SettingsLayer.EMPTY.with(Setting.PAUSE_IMAGE, "kkp/pause").spec(),
                    Map.of(
                            Setting.PAUSE_IMAGE,
                            List.of(new SettingsLayer.Origin("Cluster abc", "spec.containerRuntimeOpts.pauseImage")))),
            () -> SettingsLayer.EMPTY);

    private final class Rights implements CallerAuthorizer {
        @Override
        public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) {
            return !namespace.equals(invisible) && allowed.contains(verb.wireName() + " " + resource.plural());
        }

        @Override
        public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) {
            throw new UnsupportedOperationException("no list here");
        }
    }

    private static io.osmhub.tenancy.connection.ConnectionTestReport report() {
        List<ConnectionCheck> checks = Arrays.stream(CheckStep.values())
                .map(step -> new ConnectionCheck(step, CheckOutcome.OK, null, "tried", "", null))
                .toList();
        return new io.osmhub.tenancy.connection.ConnectionTestReport(
                checks, List.of(), "https://203.0.113.10:6443", "203.0.113.10", "v1.34.1", "admin", null, null, "");
    }

    /** One request, as the server hands it on. */
    private record Request(JsonNode body, Map<String, String> headers, Map<String, String> parameters) implements Call {
        @Override
        public Caller caller() {
            return new Caller("someone", "", List.of(), Map.of(), null);
        }

        @Override
        public String path(String name) {
            return name.equals("namespace") ? "cluster-x" : "shop";
        }

        @Override
        public Optional<String> query(String name) {
            return Optional.ofNullable(parameters.get(name));
        }

        @Override
        public List<String> queryList(String name) {
            return List.of();
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public String requestId() {
            return "request-1";
        }

        @Override
        public boolean dryRun() {
            return parameters.containsKey("dryRun");
        }

        @Override
        public String uri() {
            return "/api/v1/namespaces/cluster-x/worker-clusters/shop";
        }
    }

    private Reply ask(String operation, String body, Map<String, String> headers) throws ApiProblem {
        Operation found = operations.operations().stream()
                .filter(one -> one.id().equals(operation))
                .findFirst()
                .orElseThrow();
        return found.execute(new Request(SimulatedServer.parse(body), headers, Map.of()));
    }

    private ApiProblem refused(String operation, String body, Map<String, String> headers) {
        management.forgetRequests();
        ApiProblem problem = catchThrowableOfType(ApiProblem.class, () -> ask(operation, body, headers));
        assertThat(management.writes()).isZero();
        return Objects.requireNonNull(problem, "a problem");
    }

    private static String registration() {
        ObjectNode body = ApiJson.client().createObjectNode();
        String kubeconfig = """
            {"apiVersion":"v1","kind":"Config","current-context":"x",
            "clusters":[{"name":"c","cluster":{"server":"https://203.0.113.10:6443","certificate-authority-data":"%s"}}],
            "users":[{"name":"u","user":{"token":"%s"}}],
            "contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}]}\
            """.formatted(authority(), CANARY);
        return body.put("kubeconfig", kubeconfig).toString();
    }

    /** A certificate authority of nobody. */
    private static String authority() {
        return Base64.getEncoder().encodeToString(SomeAuthority.PEM.getBytes(UTF_8));
    }

    private String etag() throws ApiProblem {
        return String.valueOf(
                ask("putWorkerCluster", registration(), Map.of()).headers().get("ETag"));
    }

    @Test
    void registersForWhoCouldDoItHimself() throws Exception {
        Reply reply = ask("putWorkerCluster", registration(), Map.of());

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.headers()).containsEntry("Location", "/api/v1/namespaces/cluster-x/worker-clusters/shop");
        assertThat(Objects.requireNonNull(reply.body(), "a body")).isInstanceOf(RegistrationResult.class);
        assertThat(management.object(Resource.SECRETS, "cluster-x", "shop-kubeconfig"))
                .isNotNull();
    }

    @Test
    void settingsReferToSecretsThatTheCallerMayReadOnly() throws Exception {
        ask("putWorkerCluster", registration(), Map.of());
        allowed.addAll(Set.of("patch workerclusters", "update workerclusters"));
        String reference = "{\"spec\":{\"provisioning\":{\"proxy\":{\"httpProxySecretRef\":"
                + "{\"name\":\"shop-kubeconfig\",\"key\":\"kubeconfig\"}}}}}";

        assertThat(refused("patchWorkerCluster", reference, Map.of()).getMessage())
                .contains("must not refer to Secret cluster-x/shop-kubeconfig");
        assertThat(refused("putWorkerCluster", reference, Map.of()).getMessage())
                .contains("must not refer to Secret cluster-x/shop-kubeconfig");

        allowed.add("get secrets");
        assertThat(ask("patchWorkerCluster", reference, Map.of()).status()).isEqualTo(200);
        allowed.remove("get secrets");
        assertThat(ask("patchWorkerCluster", "{\"spec\":{\"paused\":true}}", Map.of())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void noAnswerHoldsAnythingOfTheKubeconfig() throws Exception {
        StringBuilder answers = new StringBuilder();
        answers.append(json(ask("putWorkerCluster", registration(), Map.of())));
        allowed.addAll(Set.of(
                "patch workerclusters",
                "patch secrets",
                "update workerclusters",
                "delete workerclusters",
                "delete secrets"));
        answers.append(json(ask("testWorkerCluster", "{}", Map.of())));
        answers.append(json(ask("rotateWorkerCluster", registration(), Map.of())));
        answers.append(json(ask("patchWorkerCluster", "{\"spec\":{\"paused\":true}}", Map.of())));
        answers.append(json(ask("getEffectiveSettings", "{}", Map.of())));
        answers.append(json(ask("deleteWorkerCluster", "{}", Map.of())));

        assertThat(answers).hasSizeGreaterThan(1000);
        assertThat(answers.toString()).doesNotContain("c4n4ry").doesNotContain("BEGIN");
    }

    private static String json(Reply reply) throws JsonProcessingException {
        return ApiJson.server().writeValueAsString(reply.body()) + reply.headers();
    }

    @Test
    void whoMayNotSeeItLearnsNothing() throws Exception {
        ask("putWorkerCluster", registration(), Map.of());
        allowed.clear();
        Map<String, String> bodies = new HashMap<>();
        for (Operation operation : operations.operations()) {
            bodies.put(
                    operation.id(),
                    operation.id().startsWith("p") || operation.id().startsWith("rotate") ? registration() : "{}");
        }

        bodies.forEach((operation, body) -> {
            ApiProblem problem = refused(operation, body, Map.of());
            assertThat(problem.type()).as(operation).isEqualTo(ProblemType.NOT_FOUND);
            assertThat(problem.detail())
                    .isEqualTo("no WorkerCluster shop in namespace cluster-x, or you may not see it");
        });
    }

    @Test
    void theHubDoesNothingThatTheCallerMayNot() throws Exception {
        allowed.remove("create secrets");
        assertThat(refused("putWorkerCluster", registration(), Map.of()).detail())
                .isEqualTo(
                        "you may not create secrets in namespace cluster-x; ask for the role osmhub.io:operator there");
        assertThat(refused("testWorkerCluster", registration(), Map.of()).type())
                .isEqualTo(ProblemType.FORBIDDEN);

        allowed.add("create secrets");
        ask("putWorkerCluster", registration(), Map.of());
        for (String operation : List.of("patchWorkerCluster", "deleteWorkerCluster", "scopeWorkerCluster")) {
            assertThat(refused(operation, "{}", Map.of()).type()).as(operation).isEqualTo(ProblemType.FORBIDDEN);
        }
        allowed.add("patch workerclusters");
        assertThat(refused("rotateWorkerCluster", registration(), Map.of()).detail())
                .contains("you may not patch secrets shop-kubeconfig");
    }

    @Test
    void changesOnlyWhatWasRead() throws Exception {
        String read = etag();
        allowed.addAll(Set.of("patch workerclusters", "update workerclusters", "patch secrets"));

        Reply changed = ask("patchWorkerCluster", "{\"labels\":{\"env\":\"prod\"}}", Map.of("If-Match", read));
        assertThat(changed.headers().get("ETag")).isNotEqualTo(read);

        assertThat(refused("patchWorkerCluster", "{\"spec\":{\"paused\":true}}", Map.of("If-Match", read))
                        .type())
                .isEqualTo(ProblemType.PRECONDITION_FAILED);
        assertThat(refused("putWorkerCluster", registration(), Map.of("If-None-Match", "*"))
                        .type())
                .isEqualTo(ProblemType.PRECONDITION_FAILED);
    }

    @Test
    void allThatIsWrongWithAKubeconfigIsToldAtOnce() {
        ObjectNode body = ApiJson.client().createObjectNode();
        body.put("kubeconfig", """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: 'https://203.0.113.10', proxy-url: 'http://proxy:%s@p', certificate-authority: /etc/%s}}]
            users: [{name: u, user: {exec: {command: /bin/%s}, token: %s}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """.replace("%s", CANARY));

        ApiProblem problem = refused("putWorkerCluster", body.toString(), Map.of());

        assertThat(problem.type()).isEqualTo(ProblemType.KUBECONFIG_REFUSED);
        assertThat(problem.mistakes())
                .extracting(mistake -> mistake.field())
                .contains(
                        "users[0].user.exec",
                        "clusters[0].cluster.proxy-url",
                        "clusters[0].cluster.certificate-authority");
        assertThat(problem.mistakes())
                .allSatisfy(mistake -> assertThat(mistake.cure()).isNotEmpty());
        assertThat(problem.detail() + problem.mistakes()).doesNotContain("c4n4ry");
    }

    @Test
    void showsEverySettingWithItsSource() throws Exception {
        ObjectNode body = SimulatedServer.parse(registration());
        body.putObject("spec").putObject("provisioning").putArray("clusterDNS").add("10.240.16.10");
        ask("putWorkerCluster", body.toString(), Map.of());

        EffectiveSettings settings = (EffectiveSettings) Objects.requireNonNull(
                ask("getEffectiveSettings", "{}", Map.of()).body(), "settings");

        assertThat(settings.items()).hasSizeGreaterThan(30);
        EffectiveSettings.Item dns = settings.items().getFirst();
        assertThat(dns.field()).isEqualTo("provisioning.clusterDNS");
        assertThat(String.valueOf(dns.value())).isEqualTo("[\"10.240.16.10\"]");
        assertThat(dns.source()).isEqualTo(EffectiveSettings.Item.Layer.TENANT);
        assertThat(dns.flag()).isEqualTo("-cluster-dns");
        assertThat(dns.origins()).isNull();
        EffectiveSettings.Item image = settings.items().stream()
                .filter(item -> item.field().endsWith(".pauseImage"))
                .findFirst()
                .orElseThrow();
        assertThat(image.source()).isEqualTo(EffectiveSettings.Item.Layer.PLATFORM);
        assertThat(image.origins()).containsExactly("Cluster abc spec.containerRuntimeOpts.pauseImage");
    }

    @Test
    void aClusterThatIsRegisteredIsNamedOnlyToCallersThatMaySeeIt() {
        registered.add(WorkerClusterRecord.of(SimulatedServer.parse("""
                {"metadata":{"namespace":"cluster-y","name":"store","uid":"uid-y"},
                 "status":{"endpoint":"https://203.0.113.10:6443"}}""")));

        ApiProblem named = refused("putWorkerCluster", registration(), Map.of());
        invisible = "cluster-y";
        ApiProblem hidden = refused("putWorkerCluster", registration(), Map.of());

        assertThat(named.type()).isEqualTo(ProblemType.TEST_FAILED);
        assertThat(named.mistakes()).singleElement().satisfies(mistake -> {
            assertThat(mistake.field()).isEqualTo("Registration");
            assertThat(mistake.detail()).contains("WorkerCluster store in namespace cluster-y");
            assertThat(mistake.cure()).contains("hub cluster rotate store -n cluster-y --kubeconfig FILE");
        });
        assertThat(hidden.mistakes()).singleElement().satisfies(mistake -> assertThat(mistake.detail())
                .isEqualTo("the cluster is already registered"));
        assertThat(hidden.detail() + hidden.mistakes()).doesNotContain("cluster-y", "WorkerCluster store");
    }

    @Test
    void aTestReportNamesEveryCheck() throws Exception {
        TestReport report = (TestReport) Objects.requireNonNull(
                ask("testWorkerCluster", registration(), Map.of()).body(), "a report");

        assertThat(report.passed()).isTrue();
        assertThat(report.checks()).hasSize(11);
        assertThat(management.writes()).isZero();
    }
}
