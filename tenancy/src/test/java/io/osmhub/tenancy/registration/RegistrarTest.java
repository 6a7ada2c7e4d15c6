package io.osmhub.tenancy.registration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.HostileKubeconfigs;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigTexts;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registration.Registrar.RegistrationOutcome;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.CredentialRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrarTest {
    private static final String TENANT = "cluster-x";
    private static final String GIVEN = KubeconfigTexts.of("https://shop.example.org:6443", KubeconfigTexts.CANARY);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final SimulatedServer worker = new SimulatedServer(time);
    private final FakeTests tests = new FakeTests(worker);
    private final EgressPolicy policy =
            new EgressPolicy(KubeconfigPolicy.DEFAULT.forNamespace(Map.of()), Set.of(), Set.of());
    private final List<WorkerClusterRecord> registered = new ArrayList<>();
    private @Nullable Problem denied;
    private final Registrar registrar = new Registrar(
            management.api(),
            tests,
            namespace -> policy,
            namespace -> Optional.ofNullable(denied),
            new DuplicateCheck(management.api(), () -> registered, record -> true));

    private static RegistrationRequest order(@Nullable String kubeconfig, boolean scoped) {
        return order(kubeconfig, scoped, null, RegistrationOptions.NONE);
    }

    private static RegistrationRequest order(
            @Nullable String kubeconfig, boolean scoped, @Nullable String settings, RegistrationOptions terms) {
        return new RegistrationRequest(
                TENANT,
                "shop",
                new CredentialRequest(kubeconfig == null ? null : new Sensitive(kubeconfig), null, scoped, false),
                null,
                settings == null ? null : json(settings),
                RegistrationSource.API,
                terms);
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) WireJson.read(text.replace('\'', '"').getBytes(UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String stored() {
        ObjectNode secret =
                Objects.requireNonNull(management.object(Resource.SECRETS, TENANT, "shop-kubeconfig"), "the Secret");
        return new String(
                Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText()), UTF_8);
    }

    private RegistrationException refused(RegistrationRequest order) {
        management.forgetRequests();
        RegistrationException refused = catchThrowableOfType(RegistrationException.class, () -> registrar.put(order));
        assertThat(management.writes()).isZero();
        return refused;
    }

    @Test
    void aNamespaceWithoutTheHubsPermissionsIsRejectedWithTheCommandThatGrantsThem() throws Exception {
        denied = Problem.ofMessage(Reason.TenantPermissionsMissing, TENANT + ": run: kubectl create rolebinding");

        RegistrationException refused = refused(order(GIVEN, false));

        assertThat(refused.kind()).isEqualTo(RegistrationException.Kind.CONFLICT);
        assertThat(refused.detail()).endsWith("run: kubectl create rolebinding");

        denied = null;
        assertThat(registrar.put(order(GIVEN, false)).stored()).isTrue();
    }

    @Test
    void theBindingIsCreatedOnceAndOnlyWhereItIsPermitted() throws Exception {
        TenantBinding binding = new TenantBinding(TENANT, "osm-hub");

        management.forbid(request -> request.resource() == Resource.ROLE_BINDINGS);
        assertThat(binding.create(management.api())).isEqualTo(TenantBinding.BindingResult.NOT_PERMITTED);

        management.forbid(request -> false);
        assertThat(binding.create(management.api())).isEqualTo(TenantBinding.BindingResult.CREATED);
        assertThat(binding.create(management.api())).isEqualTo(TenantBinding.BindingResult.EXISTS);

        management.forbid(request -> request.resource() == Resource.ROLE_BINDINGS
                && request.verb() == io.osmhub.workersync.apiserver.Verb.CREATE);
        assertThat(binding.create(management.api())).isEqualTo(TenantBinding.BindingResult.EXISTS);
        assertThat(binding.command())
                .isEqualTo("kubectl create rolebinding osm-hub-tenant -n " + TENANT
                        + " --clusterrole=osm-hub-tenant --serviceaccount=osm-hub:osm-hub");
    }

    @Test
    void storesTheKubeconfigAndTheWorkerCluster() throws Exception {
        RegistrationOutcome registered =
                registrar.put(order(GIVEN, false, "{'paused': true}", RegistrationOptions.NONE));

        assertThat(registered.created()).isTrue();
        assertThat(stored()).isEqualTo(GIVEN);
        ObjectNode cluster = Objects.requireNonNull(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it");
        assertThat(cluster.at("/spec/kubeconfigSecretRef/name").asText()).isEqualTo("shop-kubeconfig");
        assertThat(cluster.at("/spec/paused").asBoolean()).isTrue();
        assertThat(cluster.at("/metadata/annotations").toString()).isEqualTo("{\"osmhub.io/registered-by\":\"API\"}");
    }

    /** Another tenant's registration, as its status describes it. */
    private static WorkerClusterRecord registeredElsewhere(String clusterId, String endpoint) {
        return WorkerClusterRecord.of(json("""
                {'metadata':{'namespace':'cluster-y','name':'store','uid':'uid-y'},
                 'status':{'clusterID':'%s','endpoint':'%s'}}""".formatted(clusterId, endpoint)));
    }

    @Test
    void rejectsAClusterThatIsRegisteredAlreadyAndStoresNothing() throws Exception {
        registered.add(registeredElsewhere("cluster-1", "https://other.example.org"));

        RegistrationException byId = refused(order(GIVEN, true));
        ConnectionTestReport tested = registrar.test(TENANT, "shop", new Sensitive(GIVEN));

        assertThat(byId.kind()).isEqualTo(Kind.TEST_FAILED);
        assertThat(management.writes()).isZero();
        assertThat(worker.writes()).isZero();
        assertThat(tested.passed()).isFalse();
        assertThat(registration(Objects.requireNonNull(byId.report(), "a report")))
                .isEqualTo(registration(tested))
                .satisfies(check -> {
                    assertThat(check.reason()).isEqualTo(Reason.WorkerClusterDuplicate);
                    assertThat(check.message())
                            .isEqualTo("the cluster is already registered as WorkerCluster store in namespace cluster-y"
                                    + " (same UID of kube-system, cluster-1)");
                    assertThat(check.cure())
                            .contains("hub cluster rotate store -n cluster-y --kubeconfig FILE")
                            .contains("kubectl label namespace cluster-x osmhub.io/cluster-id=cluster-1");
                });
    }

    @Test
    void rejectsTheEndpointOfAnotherRegistrationEvenIfTheTestIsSkipped() {
        registered.add(registeredElsewhere("", "https://SHOP.example.org:6443/"));
        tests.clusterId = "";
        tests.failing = CheckStep.CONNECTION;
        RegistrationRequest order = new RegistrationRequest(
                TENANT,
                "shop",
                new CredentialRequest(new Sensitive(GIVEN), null, false, true),
                null,
                null,
                RegistrationSource.API,
                RegistrationOptions.NONE);

        RegistrationException refused = refused(order);

        assertThat(registration(Objects.requireNonNull(refused.report(), "a report"))
                        .message())
                .contains("(same endpoint, https://shop.example.org:6443)");
        assertThat(management.writes()).isZero();
    }

    @Test
    void aCallerThatMayNotSeeTheOtherTenantLearnsOnlyThatTheClusterIsRegistered() {
        registered.add(registeredElsewhere("cluster-1", "https://shop.example.org:6443"));

        RegistrationException refused = Objects.requireNonNull(catchThrowableOfType(
                RegistrationException.class,
                () -> registrar.withVisible(record -> false).put(order(GIVEN, false))));

        ConnectionCheck check = registration(Objects.requireNonNull(refused.report(), "a report"));
        assertThat(check.message()).isEqualTo("the cluster is already registered");
        assertThat(check.message() + check.cure()).doesNotContain("cluster-y", "store");
    }

    /** Otherwise callers could find out which endpoints other tenants registered. */
    @Test
    void anEndpointThatWasNotReachedIsAnsweredTheSameWhetherAnInvisibleTenantHasItOrNobody() throws Exception {
        tests.clusterId = "";
        tests.failing = CheckStep.CONNECTION;
        Registrar blind = registrar.withVisible(record -> false);
        ConnectionTestReport unknown = blind.test(TENANT, "shop", new Sensitive(GIVEN));

        registered.add(registeredElsewhere("", "https://shop.example.org:6443"));
        ConnectionTestReport known = blind.test(TENANT, "shop", new Sensitive(GIVEN));
        RegistrationException refused = Objects.requireNonNull(
                catchThrowableOfType(RegistrationException.class, () -> blind.put(order(GIVEN, false))));

        assertThat(known).isEqualTo(unknown);
        assertThat(registration(known).message()).contains("the hub checks it when it connects");
        assertThat(Objects.requireNonNull(refused.report(), "a report").checks())
                .isEqualTo(unknown.checks());
        assertThat(registration(registrar.test(TENANT, "shop", new Sensitive(GIVEN)))
                        .message())
                .as("to callers that may see it")
                .contains("(same endpoint, https://shop.example.org:6443)");
    }

    @Test
    void acceptsAClusterThatAnOperatorAssignedToTheNamespace() throws Exception {
        registered.add(registeredElsewhere("cluster-1", ""));
        management.put(Resource.NAMESPACES, """
                {"metadata":{"name":"cluster-x","labels":{"osmhub.io/cluster-id":"cluster-1"}}}""", "kubectl");

        assertThat(registrar.put(order(GIVEN, false)).stored()).isTrue();
    }

    @Test
    void registersAnotherClusterBehindAnEndpointOnlyWhereItIsNotRegistered() throws Exception {
        registered.add(registeredElsewhere("cluster-2", "https://other.example.org:6443"));

        assertThat(registration(registrar.put(order(GIVEN, false)).report()).message())
                .isEqualTo("not registered yet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cluster-2"})
    void aClusterWithItsUidIsNotRejectedForTheEndpointOfAnother(String otherId) throws Exception {
        registered.add(registeredElsewhere(otherId, "https://shop.example.org:6443"));

        assertThat(registrar.put(order(GIVEN, false)).stored()).isTrue();
    }

    @Test
    void aRegistrationMayBeRepeated() throws Exception {
        registered.add(WorkerClusterRecord.of(json("""
                {'metadata':{'namespace':'cluster-x','name':'shop','uid':'uid-x'},
                 'status':{'clusterID':'cluster-1','endpoint':'https://shop.example.org:6443'}}""")));

        assertThat(registrar.put(order(GIVEN, false)).report().passed()).isTrue();
    }

    private static ConnectionCheck registration(ConnectionTestReport report) {
        return report.checks().getLast();
    }

    @Test
    void keepsTheSecretOfAWorkerClusterOfWhichOnlyTheAnswerWasLost() throws Exception {
        management.faults((request, number) -> creates(request) ? SimulatedServer.Fault.ANSWER_LOST : null);
        assertThatThrownBy(() -> registrar.put(order(GIVEN, false))).isInstanceOf(ApiFailure.class);
        management.faults((request, number) -> null);

        assertThat(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop")).isNotNull();
        assertThat(stored()).isEqualTo(GIVEN);
        assertThat(registrar.put(order(GIVEN, false)).created()).isFalse();
    }

    private static boolean creates(ApiRequest request) {
        return request.verb() == Verb.CREATE
                && request.resource().equals(Resource.WORKER_CLUSTERS)
                && !request.isDryRun();
    }

    @Test
    void storesTheKubeconfigUnderTheKeyThatWasChosenAndKeepsToIt() throws Exception {
        RegistrationRequest order = underKey("admin.conf");

        registrar.put(order);
        management.forgetRequests();
        registrar.put(order);
        RegistrationException other = refused(underKey("value"));

        ObjectNode cluster = Objects.requireNonNull(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it");
        assertThat(cluster.at("/spec/kubeconfigSecretRef/key").asText()).isEqualTo("admin.conf");
        ObjectNode secret =
                Objects.requireNonNull(management.object(Resource.SECRETS, TENANT, "shop-kubeconfig"), "the Secret");
        assertThat(secret.path("data").fieldNames()).toIterable().containsExactly("admin.conf");
        assertThat(other.kind()).isEqualTo(Kind.CONFLICT);
        assertThat(other.detail()).contains("under admin.conf of Secret cluster-x/shop-kubeconfig; ");
    }

    @Test
    void refusesAKeyThatNoSecretCanHave() {
        RegistrationException refused = refused(underKey("a b"));

        assertThat(refused.kind()).isEqualTo(Kind.SETTINGS_REFUSED);
        assertThat(refused.findings().toString()).contains("kubeconfigSecretRef.key");
    }

    private static RegistrationRequest underKey(String key) {
        return new RegistrationRequest(
                TENANT,
                "shop",
                new CredentialRequest(new Sensitive(GIVEN), key, false, false),
                null,
                null,
                RegistrationSource.CLI,
                RegistrationOptions.NONE);
    }

    @Test
    void theSameOrderTwiceChangesNothing() throws Exception {
        RegistrationRequest order =
                order(GIVEN, false, "{'provisioning': {'clusterDNS': ['10.0.0.10']}}", RegistrationOptions.NONE);
        registrar.put(order);
        management.forgetRequests();

        RegistrationOutcome again = registrar.put(order);

        assertThat(again.created()).isFalse();
        assertThat(management.writes()).isZero();
    }

    @Test
    void storesNothingOfAHostileKubeconfigAndTellsNothingOfIt() {
        List<HostileKubeconfigs.Case> cases = HostileKubeconfigs.all("/canary", 1);
        for (HostileKubeconfigs.Case hostile : cases) {
            RegistrationException refused = refused(order(hostile.text(), false));

            assertThat(refused).as(hostile.name()).isNotNull();
            assertThat(refused.kind()).as(hostile.name()).isEqualTo(Kind.KUBECONFIG_REFUSED);
            assertThat(refused.detail() + refused.findings()).as(hostile.name()).doesNotContain(KubeconfigTexts.CANARY);
        }
        assertThat(cases).hasSizeGreaterThan(50);
        assertThat(tests.tried).isEmpty();
    }

    @Test
    void storesNothingWhenACheckFails() {
        tests.failing = CheckStep.PERMISSIONS;

        RegistrationException refused = refused(order(GIVEN, false));

        assertThat(refused.kind()).isEqualTo(Kind.TEST_FAILED);
        assertThat(refused.detail()).isEqualTo("1 of 11 checks failed; nothing was stored");
    }

    @Test
    void storesWhatCannotBeReachedWhenItIsToldTo() throws Exception {
        tests.failing = CheckStep.CONNECTION;

        registrar.put(new RegistrationRequest(
                TENANT,
                "shop",
                new CredentialRequest(new Sensitive(GIVEN), null, false, true),
                null,
                null,
                RegistrationSource.API,
                RegistrationOptions.NONE));

        assertThat(stored()).isEqualTo(GIVEN);
    }

    @Test
    void storesNothingOnADryRun() throws Exception {
        RegistrationOutcome tried = registrar.put(order(GIVEN, true, null, new RegistrationOptions(false, null, true)));

        assertThat(tried.stored()).isFalse();
        assertThat(management.writes() + worker.writes()).isZero();
        assertThat(management.all(Resource.SECRETS)).isEmpty();
        assertThat(management.all(Resource.WORKER_CLUSTERS)).isEmpty();
    }

    @Test
    void storesATokenOfItsOwnInPlaceOfWhatIsGiven() throws Exception {
        RegistrationOutcome registered = registrar.put(order(GIVEN, true));

        assertThat(registered.report().user()).isEqualTo("system:serviceaccount:kube-system:osm-hub");
        assertThat(stored()).doesNotContain(KubeconfigTexts.CANARY).contains("https://shop.example.org:6443");
        assertThat(worker.object(Resource.SERVICE_ACCOUNTS, "kube-system", "osm-hub"))
                .isNotNull();
        assertThat(worker.all(Resource.ROLES)).hasSize(5);
        assertThat(worker.object(Resource.CLUSTER_ROLES, "", "osmhub.io:worker"))
                .isNotNull();
    }

    @Test
    void aScopedOrderMayBeRepeatedAndMakesAnotherToken() throws Exception {
        registrar.put(order(GIVEN, true));
        String token = stored();

        registrar.put(order(GIVEN, true));

        assertThat(stored()).isNotEqualTo(token).contains("https://shop.example.org:6443");
    }

    /** The process may have ended between its two writes. */
    @Test
    void aRegistrationWhoseWorkerClusterWasNotStoredMayBeRepeated() throws Exception {
        management.faults((request, number) -> creates(request) ? SimulatedServer.Fault.REFUSED : null);
        assertThatThrownBy(() -> registrar.put(order(GIVEN, false))).isInstanceOf(ApiFailure.class);
        management.faults((request, number) -> null);
        assertThat(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop")).isNull();

        assertThat(registrar.put(order(GIVEN, false)).created()).isTrue();
        assertThat(stored()).isEqualTo(GIVEN);
    }

    @Test
    void ofTwoRegistrationsAtTheSameTimeOneIsStoredWhole() throws Exception {
        String other = KubeconfigTexts.of("https://shop.example.org:6443", "other-token");
        AtomicBoolean started = new AtomicBoolean();
        management.reject(request -> {
            if (request.resource().equals(Resource.SECRETS)
                    && request.verb().writes()
                    && started.compareAndSet(false, true)) {
                try {
                    registrar.put(order(other, false, "{'paused': true}", RegistrationOptions.NONE));
                } catch (RegistrationException | ApiFailure e) {
                    throw new AssertionError(e);
                }
            }
            return null;
        });

        RegistrationException refused =
                catchThrowableOfType(RegistrationException.class, () -> registrar.put(order(GIVEN, false)));

        assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
        assertThat(stored()).isEqualTo(other);
        ObjectNode cluster = Objects.requireNonNull(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it");
        assertThat(cluster.at("/spec/paused").asBoolean()).isTrue();
    }

    @Test
    void aMissingSecretIsCreatedAgain() throws Exception {
        registrar.put(order(GIVEN, false));
        management.remove(Resource.SECRETS, TENANT, "shop-kubeconfig");

        registrar.rotate(TENANT, "shop", new Sensitive(GIVEN), false, RegistrationOptions.NONE);

        assertThat(stored()).isEqualTo(GIVEN);
    }

    @Test
    void aMissingSecretThatIsCreatedAtTheSameTimeIsNotOverwritten() throws Exception {
        registrar.put(order(GIVEN, false));
        ObjectNode secret =
                Objects.requireNonNull(management.object(Resource.SECRETS, TENANT, "shop-kubeconfig"), "the Secret");
        management.remove(Resource.SECRETS, TENANT, "shop-kubeconfig");
        String next = KubeconfigTexts.of("https://shop.example.org:6443", "next-token");
        management.reject(request -> {
            if (request.resource().equals(Resource.SECRETS) && request.verb().writes()) {
                management.put(Resource.SECRETS, secret.toString(), "other");
            }
            return null;
        });

        RegistrationException refused = catchThrowableOfType(
                RegistrationException.class,
                () -> registrar.rotate(TENANT, "shop", new Sensitive(next), false, RegistrationOptions.NONE));

        assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
        assertThat(refused.detail()).endsWith("was changed at the same time; try again");
        assertThat(stored()).isEqualTo(GIVEN);
    }

    /** The role osmhub.io:operator may write Secrets, but not read them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSecretThatMayNotBeReadIsReplacedOrCreated(boolean exists) throws Exception {
        registrar.put(order(GIVEN, false));
        if (!exists) {
            management.remove(Resource.SECRETS, TENANT, "shop-kubeconfig");
        }
        management.forbid(request -> request.resource().equals(Resource.SECRETS) && request.verb() == Verb.GET);
        String next = KubeconfigTexts.of("https://shop.example.org:6443", "next-token");

        registrar.rotate(TENANT, "shop", new Sensitive(next), false, RegistrationOptions.NONE);

        assertThat(stored()).isEqualTo(next);
    }

    @Test
    void takesBackTheSecretWhenTheWorkerClusterIsRefused() {
        management.withdraw(Resource.WORKER_CLUSTERS, false);
        management.faults((request, number) ->
                request.resource() == Resource.WORKER_CLUSTERS && request.verb().writes()
                        ? SimulatedServer.Fault.REFUSED
                        : null);

        ApiFailure failure = catchThrowableOfType(ApiFailure.class, () -> registrar.put(order(GIVEN, false)));

        assertThat(failure).isNotNull();
        assertThat(management.all(Resource.SECRETS)).isEmpty();
    }

    @Test
    void aNamespaceHoldsOneTenant() throws Exception {
        registrar.put(order(GIVEN, false));

        RegistrationRequest other = new RegistrationRequest(
                TENANT,
                "other",
                new CredentialRequest(new Sensitive(GIVEN), null, false, false),
                null,
                null,
                RegistrationSource.API,
                RegistrationOptions.NONE);

        assertThat(refused(other).detail()).contains("already belongs to WorkerCluster shop");
    }

    @Test
    void keepsToItsTerms() throws Exception {
        registrar.put(order(GIVEN, false));

        assertThat(refused(order(GIVEN, false, null, new RegistrationOptions(true, null, false)))
                        .kind())
                .isEqualTo(Kind.PRECONDITION_FAILED);
        assertThat(refused(order(GIVEN, false, null, new RegistrationOptions(false, stored -> false, false)))
                        .kind())
                .isEqualTo(Kind.PRECONDITION_FAILED);
    }

    @Test
    void refusesAllSettingsThatCannotBeAtOnce() {
        RegistrationException refused = refused(order(
                GIVEN,
                false,
                "{'provisioning': {'clusterDns': 1}, 'cleanupTimeout': 'soon'}",
                RegistrationOptions.NONE));

        assertThat(refused.kind()).isEqualTo(Kind.SETTINGS_REFUSED);
        assertThat(refused.findings()).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aStatusThatIsWrittenAtTheSameTimeDoesNotRejectAChangeButAnotherChangeDoes() throws Exception {
        registrar.put(order(GIVEN, false));
        changeBefore(Verb.PATCH, cluster -> cluster.putObject("status").put("clusterID", "cluster-1"));

        JsonNode after = registrar.patch(TENANT, "shop", json("{'spec': {'paused': true}}"), RegistrationOptions.NONE);

        assertThat(after.at("/spec/paused").asBoolean()).isTrue();
        assertThat(after.at("/status/clusterID").asText()).isEqualTo("cluster-1");

        changeBefore(
                Verb.PATCH, cluster -> cluster.withObject("/metadata/labels").put("team", "a"));
        RegistrationException refused = catchThrowableOfType(
                RegistrationException.class,
                () -> registrar.patch(TENANT, "shop", json("{'spec': {'paused': false}}"), RegistrationOptions.NONE));
        assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
        assertThat(refused.detail()).contains("was changed at the same time");

        changeBefore(Verb.DELETE, cluster -> cluster.putObject("status").put("clusterID", "cluster-2"));
        registrar.remove(TENANT, "shop", null, RegistrationOptions.NONE);
        assertThat(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop")).isNull();
    }

    /** Another client changes the WorkerCluster once, between the registrar's read and its write. */
    private void changeBefore(Verb write, Consumer<ObjectNode> change) {
        AtomicBoolean changed = new AtomicBoolean();
        management.reject(request -> {
            if (request.verb() == write
                    && request.resource().equals(Resource.WORKER_CLUSTERS)
                    && changed.compareAndSet(false, true)) {
                ObjectNode cluster = Objects.requireNonNull(
                                management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it")
                        .deepCopy();
                change.accept(cluster);
                management.put(Resource.WORKER_CLUSTERS, cluster.toString(), "other");
            }
            return null;
        });
    }

    @Test
    void rotatesOnlyToAKubeconfigOfTheSameCluster() throws Exception {
        registrar.put(order(GIVEN, false));
        ObjectNode cluster = Objects.requireNonNull(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it");
        cluster.putObject("status").put("clusterID", "cluster-1");
        management.put(Resource.WORKER_CLUSTERS, cluster.toString(), "osm-hub");
        String next = KubeconfigTexts.of("https://shop.example.org:6443", "next-token");

        registrar.rotate(TENANT, "shop", new Sensitive(next), false, RegistrationOptions.NONE);
        assertThat(stored()).isEqualTo(next);

        tests.clusterId = "cluster-2";
        RegistrationException refused = catchThrowableOfType(
                RegistrationException.class,
                () -> registrar.rotate(TENANT, "shop", new Sensitive(GIVEN), false, RegistrationOptions.NONE));
        assertThat(refused.kind()).isEqualTo(Kind.CONFLICT);
        assertThat(stored()).isEqualTo(next);
    }

    @Test
    void changesSettingsButNotWhatRegistrationDecides() throws Exception {
        registrar.put(order(GIVEN, false, "{'paused': true}", RegistrationOptions.NONE));

        registrar.patch(
                TENANT,
                "shop",
                json("{'spec': {'paused': null}, 'labels': {'env': 'prod'}}"),
                RegistrationOptions.NONE);
        RegistrationException refused = catchThrowableOfType(
                RegistrationException.class,
                () -> registrar.patch(
                        TENANT,
                        "shop",
                        json("{'spec': {'kubeconfigSecretRef': {'name': 'other'}}}"),
                        RegistrationOptions.NONE));

        ObjectNode cluster = Objects.requireNonNull(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop"), "it");
        assertThat(cluster.path("spec").has("paused")).isFalse();
        assertThat(cluster.at("/metadata/labels/env").asText()).isEqualTo("prod");
        assertThat(refused.kind()).isEqualTo(Kind.SETTINGS_REFUSED);
    }

    @Test
    void removesWithAPolicyOfItsOwn() throws Exception {
        registrar.put(order(GIVEN, false));

        registrar.remove(TENANT, "shop", DeletionPolicy.RETAIN, RegistrationOptions.NONE);

        assertThat(management.object(Resource.WORKER_CLUSTERS, TENANT, "shop")).isNull();
    }
}
