package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.client.Await;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.EndpointLimiter;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.TestApiServer;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class HandshakeTest {
    private static final String ADMIN =
            "{\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]}";

    // A busy machine must not make a test fail.
    private static final ConnectionOptions PATIENT =
            new ConnectionOptions(Duration.ofMinutes(1), Duration.ofSeconds(10));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ClientPool pool;
    private final VirtualTime time = new VirtualTime();
    private final Map<String, String> answers = new ConcurrentHashMap<>(Map.of(
            "/version", "{\"gitVersion\":\"v1.34.2\"}",
            "/api/v1/namespaces/kube-system", "{\"metadata\":{\"uid\":\"id-1\"}}",
            "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                    "{\"status\":{\"userInfo\":{\"username\":\"the-hub\"}}}",
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", "{\"status\":" + ADMIN + "}",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{\"status\":{\"allowed\":true}}"));
    private final List<String> reviewed = new CopyOnWriteArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger requested = new AtomicInteger();
    private final TestApiServer server;
    private volatile String serverDate = "Sat, 21 Nov 2026 10:00:00 GMT";
    private volatile int refuseAllWith;

    HandshakeTest(Vertx vertx) {
        pool = new ClientPool(vertx, "osm-hub");
        server = TestApiServer.start(vertx, this::answer);
    }

    @AfterEach
    void stop() {
        pool.close();
        server.close();
        threads.close();
    }

    private void answer(HttpServerRequest request) {
        request.bodyHandler(body -> {
            String path = request.path().replaceAll("[?].*", "");
            String answer = answers.get(path);
            if (path.endsWith("rulesreviews")) {
                String namespace = body.toJsonObject().getJsonObject("spec").getString("namespace");
                reviewed.add(namespace);
                answer = answers.getOrDefault(namespace, answer);
            }
            request.response().putHeader("Date", serverDate);
            if (refuseAllWith != 0) {
                request.response().setStatusCode(refuseAllWith).end();
            } else if (answer == null) {
                request.response().setStatusCode(404).end();
            } else if (answer.equals("403")) {
                request.response().setStatusCode(403).end();
            } else {
                TestApiServer.json(request, answer);
            }
        });
    }

    private VerifiedConnection open(String host, DnsResolver names, Set<Allowance> allowed) throws ConnectFailure {
        EgressPolicy policy = new EgressPolicy(new KubeconfigRules(allowed, List.of(), List.of()), Set.of(), Set.of());
        Handshake handshake = new Handshake(
                pool,
                names,
                namespace -> policy,
                RequestObserver.NONE,
                new RuntimeContext(time, threads, new Random(7)));
        return handshake.connect(FakeWorld.SUBJECT, kubeconfig(host), PATIENT, new Connector.ConnectionEventObserver() {
            @Override
            public void onLost(boolean asked) {
                lost.incrementAndGet();
            }

            @Override
            public void onRequestFinished(io.osmhub.workersync.apiserver.@Nullable ApiFailure failure) {
                requested.incrementAndGet();
            }
        });
    }

    private VerifiedConnection open() throws ConnectFailure {
        return open("worker.example", name -> List.of(InetAddress.getLoopbackAddress()), Set.of(Allowance.LOOPBACK));
    }

    private ValidatedKubeconfig kubeconfig(String host) {
        return new ValidatedKubeconfig(
                URI.create("https://" + host + ":" + server.port()),
                host,
                server.port(),
                TestApiServer.AUTHORITY.pem(),
                new WorkerCredential.Token(new Sensitive("token-of-the-hub")),
                false,
                null,
                null,
                null,
                "context",
                "user-of-the-kubeconfig",
                "hash");
    }

    @Test
    void learnsAllFactsOverOneConnection() throws ConnectFailure {
        serverDate = "Sat, 21 Nov 2026 10:05:00 GMT";

        VerifiedConnection link = open();

        assertThat(link.facts())
                .isEqualTo(new ConnectionFacts(
                        "https://worker.example:" + server.port(),
                        "v1.34.2",
                        "id-1",
                        "the-hub",
                        List.of(),
                        true,
                        null,
                        Duration.ofMillis(300_500)));
        assertThat(server.opened()).isEqualTo(1);
        assertThat(requested.get()).isPositive();
        assertThat(link.ping(Duration.ofSeconds(10)).join()).isZero();
        link.close();
        Await.until(() -> lost.get() == 1);
    }

    @Test
    void aTenantCannotTryOneEndpointAfterAnother() throws Exception {
        List<String> failures = new ArrayList<>();
        for (int i = 1; i <= EndpointLimiter.LIMIT + 2; i++) {
            InetAddress address = InetAddress.getByName("127.0.1." + i);
            try {
                open("worker.example", name -> List.of(address), Set.of(Allowance.LOOPBACK));
            } catch (ConnectFailure failure) {
                failures.add(failure.message());
            }
        }

        assertThat(failures)
                .filteredOn(words -> words.startsWith("not tried: namespace "))
                .hasSize(2);

        // A known endpoint may be retried.
        InetAddress first = InetAddress.getByName("127.0.1.1");
        assertThatThrownBy(() -> open("worker.example", name -> List.of(first), Set.of(Allowance.LOOPBACK)))
                .hasMessageNotContaining("not tried");

        time.advance(Duration.ofMinutes(2));
        assertThat(open().facts().version()).isEqualTo("v1.34.2");
    }

    @Test
    void tellsWhatIsNotAllowed() throws ConnectFailure {
        answers.put(
                "_",
                "{\"status\":{\"resourceRules\":[{\"verbs\":[\"get\",\"list\",\"watch\",\"create\"],\"apiGroups\":[\"*\"],"
                        + "\"resources\":[\"machinedeployments\",\"namespaces\",\"events\"]}]}}");
        answers.put("kube-public", "{\"status\":{\"resourceRules\":[]}}");

        assertThat(open().facts().missing())
                .extracting(Permission::toString)
                .containsExactly(
                        "patch machinedeployments.cluster.k8s.io",
                        "list configmaps cluster-info in namespace kube-public",
                        "watch configmaps cluster-info in namespace kube-public",
                        "patch events.events.k8s.io");
    }

    @Test
    void reviewsANamespaceOnlyForWhatIsNotGrantedClusterWide() throws ConnectFailure {
        assertThat(open().facts().missing()).isEmpty();
        assertThat(reviewed).containsExactly("_");

        reviewed.clear();
        answers.put(
                "_",
                "{\"status\":{\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"machinedeployments\","
                        + "\"namespaces\",\"events\",\"secrets\",\"configmaps\",\"endpointslices\",\"leases\"]}]}}");

        assertThat(open().facts().missing()).isEmpty();
        assertThat(reviewed).containsExactlyInAnyOrder("_", "kube-system", "cloud-init-settings");
    }

    @Test
    void anAuthorizerThatCannotTellItsRulesIsAskedOneByOne() throws ConnectFailure {
        answers.put("kube-public", "{\"status\":{\"resourceRules\":[],\"incomplete\":true}}");
        answers.put("_", "{\"status\":{\"resourceRules\":[],\"incomplete\":true}}");

        assertThat(open().facts().missing()).isEmpty();

        answers.put("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{\"status\":{\"allowed\":false}}");

        assertThat(open().facts().missing())
                .extracting(Permission::toString)
                .contains(
                        "patch machinedeployments.cluster.k8s.io",
                        "list configmaps cluster-info in namespace kube-public")
                .noneMatch(permission -> permission.contains("cloud-init-settings"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeone-addon.yaml", "kkp-roles.yaml"})
    void theRolesThatInstallersGrantToOsmSuffice(String file) throws Exception {
        Map<String, ArrayNode> rules = new HashMap<>();
        for (String namespace : List.of("_", "cloud-init-settings", "default", "kube-public", "kube-system")) {
            rules.put(namespace, JsonNodeFactory.instance.arrayNode());
        }
        Path manifest = Path.of(
                System.getProperty("osmhub.root", ".."), "deploy/testing/e2e/src/test/resources/io/osmhub/e2e", file);
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(manifest.toFile())) {
            documents.forEachRemaining(object -> {
                String namespace = object.at("/metadata/namespace").asText();
                rules.forEach((reviewed, granted) -> {
                    if (object.path("kind").asText().equals("ClusterRole") || namespace.equals(reviewed)) {
                        object.path("rules").forEach(granted::add);
                    }
                });
            });
        }
        rules.forEach(
                (namespace, granted) -> answers.put(namespace, "{\"status\":{\"resourceRules\":" + granted + "}}"));

        List<Permission> missing = open().facts().missing();

        assertThat(RequiredPermissions.indispensable(missing)).isEmpty();
        assertThat(missing).extracting(Permission::toString).contains("delete secrets in namespace kube-system");
        assertThat(ConnectionMessages.limits(missing))
                .startsWith("; bootstrap tokens are not deleted, they expire")
                .doesNotContain("cluster-info");
    }

    @Test
    void whatMayNotBeReadStaysUnknown() throws ConnectFailure {
        answers.put("/version", "403");
        answers.put("/api/v1/namespaces/kube-system", "403");
        answers.remove("/apis/authentication.k8s.io/v1/selfsubjectreviews");

        ConnectionFacts facts = open().facts();

        assertThat(facts.version()).isEmpty();
        assertThat(facts.clusterId()).isEmpty();
        assertThat(facts.user()).isEqualTo("user-of-the-kubeconfig");
    }

    @Test
    void seesThePeerByItsFreshLeaseOnTheServersClock() throws Exception {
        String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/operating-system-manager";
        Map<String, Boolean> active = new HashMap<>(Map.of(
                "2026-11-21T09:59:50.000000Z", true,
                "2026-11-21T09:58:50.000000Z", false));
        for (Map.Entry<String, Boolean> entry : active.entrySet()) {
            answers.put(lease, leaseRenewed(entry.getKey()));

            VerifiedConnection.AccessReview review = open().review();

            assertThat(review.peer())
                    .as(entry.getKey())
                    .isEqualTo(
                            entry.getValue()
                                    ? new ConnectionFacts.PeerLease("operating-system-manager", "pod-1")
                                    : null);
        }
    }

    @Test
    void anUnreadableLeaseDoesNotMeanThatThePeerIsGone() {
        answers.put(
                "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/operating-system-manager",
                leaseRenewed("nonsense"));

        assertThatThrownBy(this::open).isInstanceOf(ConnectFailure.class);
    }

    /** Its machine's clock may be wrong, so only a Lease that stays the same tells that OSM has stopped. */
    @Test
    void thePeerIsGoneWhenItsLeaseStaysTheSameForItsDuration() throws Exception {
        String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/operating-system-manager";
        answers.put(
                lease,
                leaseRenewed("2026-11-21T09:59:50.000000Z")
                        .replace("{\"holder", "{\"leaseDurationSeconds\":15,\"holder"));
        VerifiedConnection connection = open();

        time.advance(Duration.ofSeconds(14));
        assertThat(connection.review().peer()).isNotNull();
        answers.put(
                lease,
                leaseRenewed("2026-11-21T09:59:52.000000Z")
                        .replace("{\"holder", "{\"leaseDurationSeconds\":15,\"holder"));
        assertThat(connection.review().peer()).isNotNull();
        reviewed.clear();
        time.advance(Duration.ofSeconds(15));

        assertThat(connection.review().peer()).isNull();
        assertThat(reviewed).as("permissions, again so soon").isEmpty();
    }

    private static String leaseRenewed(String time) {
        ObjectNode lease = WireJson.object();
        lease.putObject("metadata").put("resourceVersion", "1");
        lease.putObject("spec").put("holderIdentity", "pod-1").put("renewTime", time);
        return WireJson.text(lease);
    }

    @Test
    void aRefusedCredentialIsUnauthorized() {
        refuseAllWith = 401;

        assertThatThrownBy(this::open)
                .asInstanceOf(type(ConnectFailure.class))
                .returns(Kind.UNAUTHORIZED, ConnectFailure::kind);
        Await.until(() -> server.connections().isEmpty());
    }

    @Test
    void anAddressThatThePolicyRefusesIsNotConnectedTo() {
        assertThatThrownBy(() -> open("worker.example", name -> List.of(InetAddress.getLoopbackAddress()), Set.of()))
                .asInstanceOf(type(ConnectFailure.class))
                .returns(Kind.ENDPOINT_REFUSED, ConnectFailure::kind)
                .returns(new ConnectFailure.RefusedAddress("127.0.0.1", "loopback"), ConnectFailure::address);
        assertThat(server.opened()).isZero();
    }

    @Test
    void aLiteralAddressAsksNoNameService() throws ConnectFailure {
        DnsResolver none = name -> {
            throw new AssertionError("asked for " + name);
        };

        assertThat(open("127.0.0.1", none, Set.of(Allowance.LOOPBACK)).facts().clusterId())
                .isEqualTo("id-1");
    }

    @Test
    void aNameThatIsNotKnownIsNotResolved() {
        assertThatThrownBy(() -> open(
                        "worker.example",
                        name -> {
                            throw new UnknownHostException(name);
                        },
                        Set.of()))
                .asInstanceOf(type(ConnectFailure.class))
                .returns(Kind.NOT_RESOLVED, ConnectFailure::kind);
    }

    @Test
    void whatIsNoApiServerIsNotTakenForOne() {
        answers.put("/version", "[");

        assertThatThrownBy(this::open)
                .asInstanceOf(type(ConnectFailure.class))
                .returns(Kind.ANSWERS_ERRORS, ConnectFailure::kind)
                .returns("unexpected response: not JSON, so not a Kubernetes API server", ConnectFailure::message);
    }

    @Test
    void aProbeOutlivesAClosedConnection() throws ConnectFailure {
        VerifiedConnection link = open();
        server.connections().forEach(io.vertx.core.http.HttpConnection::close);
        Await.until(() -> lost.get() == 1);

        assertThat(link.probe().version()).isEqualTo("v1.34.2");
        assertThat(link.isConnected()).isTrue();
    }
}
