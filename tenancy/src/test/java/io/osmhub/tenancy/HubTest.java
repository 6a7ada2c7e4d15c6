package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HubTest {
    private final FleetWorld world = new FleetWorld();

    @Test
    void aLabelledSecretBecomesATenantAndItsMachinesGetTheirSecrets() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");

        world.start();
        world.pass(Duration.ofSeconds(5));

        JsonNode cluster = Objects.requireNonNull(world.workerCluster("t1", "prod"));
        assertThat(cluster.at("/metadata/annotations/osmhub.io~1registered-by").asText())
                .isEqualTo("Secret");
        assertThat(cluster.at("/metadata/ownerReferences")).isEmpty();
        assertThat(cluster.at("/metadata/finalizers/0").asText()).isEqualTo("osmhub.io/worker-cleanup");
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config"))
                .isNotNull();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(world.reason("t1", "prod", "Ready")).isEqualTo("Serving");
        assertThat(cluster.at("/status/machineDeployments/current").asInt()).isEqualTo(1);
        assertThat(cluster.at("/status/clusterID").asText()).isNotEmpty();
    }

    @Test
    void aTenantWhoseSecretIsDeletedIsPausedAndGoesOnWhenItReturns() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofDays(3));
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Paused");
        assertThat(world.reason("t1", "prod", "CredentialsValid")).isEqualTo("KubeconfigSecretNotFound");
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo("Paused");
        assertThat(Objects.requireNonNull(world.workerCluster("t1", "prod")).toString())
                .contains("create the Secret again to resume");
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(bootstrap(worker, "later")).isNull();

        world.register("t1", "admin", "prod", "t1.example.org", "token-1");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "later")).isNotNull();
    }

    @Test
    void aSecretThatReturnsInTimeEndsItsRemovalAlsoAfterARestart() {
        world.settings = removing(Duration.ofHours(1), SecretDiscovery.LABELLED_ONLY);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofMinutes(40));
        world.register("t1", "admin", "prod", "t1.example.org", "token-1");
        world.pass(Duration.ofMinutes(1));
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofMinutes(40));
        assertThat(world.state("t1", "prod")).isEqualTo("Paused");
        assertThat(bootstrap(worker, "workers")).isNotNull();
        world.kill();
        world.start();
        world.pass(Duration.ofMinutes(15));
        assertThat(world.workerCluster("t1", "prod")).isNotNull();

        world.pass(Duration.ofMinutes(10));
        assertThat(world.workerCluster("t1", "prod")).isNull();
    }

    @Test
    void removalAfterTheDelayEmptiesTheWorkerCluster() {
        world.settings = removing(Duration.ofMinutes(5), SecretDiscovery.LABELLED_ONLY);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofMinutes(4));
        assertThat(bootstrap(worker, "workers")).isNotNull();
        world.pass(Duration.ofMinutes(2));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(bootstrap(worker, "workers")).isNull();
    }

    static HubSettings removing(Duration delay, SecretDiscovery discovery) {
        HubSettings usual = FleetWorld.settings("osm-hub", false);
        return new HubSettings(
                usual.namespace(),
                usual.sharedProfileNamespace(),
                usual.namespaceSelector(),
                usual.single(),
                usual.installCrds(),
                discovery,
                discovery.kkp().isEmpty() ? "" : "kubermatic",
                delay,
                usual.defaults(),
                usual.kubeconfigPolicy(),
                usual.managementApi(),
                usual.ownAddresses(),
                usual.compiledProfiles(),
                usual.statusesPerSecond());
    }

    @Test
    void aSecretThatComesLaterIsServedTooAndOneAfterTheOther() {
        world.start();
        for (int i = 0; i < 20; i++) {
            machineDeployment(world.tenant("t" + i), "workers");
        }
        world.pass(Duration.ofSeconds(10));

        assertThat(world.hub().tenants()).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(world.state("t" + i, "prod")).isEqualTo("Synced");
        }
    }

    @Test
    void anIdleHubAsksForNothingButWatches() {
        machineDeployment(world.tenant("t1"), "workers");
        world.start();
        world.pass(Duration.ofMinutes(5));
        world.management.forgetRequests();

        world.pass(Duration.ofHours(1));

        assertThat(world.management.requests())
                .allSatisfy(request -> assertThat(request.verb()).isEqualTo(Verb.WATCH));
    }

    @Test
    void theDefinitionsAreInstalledBeforeTheLeaseIsHeld() {
        machineDeployment(world.tenant("t1"), "workers");
        world.mayWrite = false;
        world.start();
        world.pass(Duration.ofSeconds(5));

        for (ShippedDefinition definition : ShippedDefinition.values()) {
            assertThat(world.management.object(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName()))
                    .isNotNull();
        }
        assertThat(world.hub().isReady()).isTrue();
        assertThat(world.workerCluster("t1", "prod")).isNull();

        world.mayWrite = true;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void definitionsThatTheHubMayNotInstallAreInstalledOnceItMay() {
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            world.management.remove(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName());
        }
        world.management.failWrites(SimulatedServer.status(403, "Forbidden", "customresourcedefinitions is forbidden"));
        world.start();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.hub().missingLists()).isNotEmpty();

        world.management.failWrites(null);
        world.pass(Duration.ofMinutes(1));

        for (ShippedDefinition definition : ShippedDefinition.values()) {
            assertThat(world.management.object(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName()))
                    .isNotNull();
        }
        world.pass(Duration.ofMinutes(5));
        assertThat(world.hub().isReady()).isTrue();
    }

    @Test
    void aProfileThatReturnsToANamespaceIsJudgedAgain() {
        world.start();
        world.profile("osm-hub", "osp-own", "v1.0.0", "text");
        world.pass(Duration.ofSeconds(5));
        world.delete(Resource.OPERATING_SYSTEM_PROFILES, "osm-hub", "osp-own");
        world.pass(Duration.ofSeconds(5));

        world.profile("osm-hub", "osp-own", "v1.0.0", "text");
        world.pass(Duration.ofSeconds(5));

        assertThat(Objects.requireNonNull(
                                world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "osm-hub", "osp-own"))
                        .at("/status/conditions"))
                .isNotEmpty();
    }

    @Test
    void aDefinitionThatChangesWhileTheHubRunsIsFollowedAndStatusesMoveAtTheNextStart() {
        ShippedDefinition definition = ShippedDefinition.OPERATING_SYSTEM_PROFILES;
        world.definition(definition, WITHOUT_FIELDS);
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.hub().definitionProblems()).singleElement().satisfies(problem -> assertThat(problem.message())
                .contains("lacks spec,"));
        assertThat(profile().path("status").isMissingNode()).isTrue();
        assertThat(statusAnnotation()).contains("\"conditions\"");

        world.definition(definition, WHOLE);
        world.pass(Duration.ofSeconds(20));

        assertThat(world.hub().definitionProblems()).isEmpty();
        assertThat(profile().path("status").isMissingNode()).isTrue();

        world.kill();
        world.start();
        world.pass(Duration.ofSeconds(20));

        assertThat(profile().path("status").path("conditions")).isNotEmpty();
    }

    @Test
    void aSubresourceThatWasUnusableIsTriedAgainOnceTheDefinitionChanges() {
        ShippedDefinition definition = ShippedDefinition.OPERATING_SYSTEM_PROFILES;
        world.definition(definition, WHOLE);
        world.management.reject(request ->
                request.subresource().equals("status") && request.resource() == Resource.OPERATING_SYSTEM_PROFILES
                        ? SimulatedServer.status(403, "Forbidden", "not granted")
                        : null);
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(statusAnnotation()).contains("\"conditions\"");

        world.management.reject(request -> null);
        world.definition(definition, WITHOUT_FIELDS);
        world.pass(Duration.ofSeconds(5));
        world.definition(definition, WHOLE);
        world.profile("osm-profiles", "osp-ubuntu", "v1.1.0", "another text");
        world.pass(Duration.ofSeconds(5));

        assertThat(profile().path("status").path("conditions")).isNotEmpty();
    }

    /** With a status subresource, and a schema that prunes nothing. */
    private static final String WHOLE = """
            {'name': 'v1alpha1', 'subresources': {'status': {}},
             'schema': {'openAPIV3Schema': {'type': 'object', 'x-kubernetes-preserve-unknown-fields': true}}}
            """;

    private static final String WITHOUT_FIELDS =
            "{'name': 'v1alpha1', 'schema': {'openAPIV3Schema': {'type': 'object'}}}";

    private JsonNode profile() {
        return Objects.requireNonNull(
                world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "osm-profiles", "osp-ubuntu"));
    }

    private String statusAnnotation() {
        return profile().at("/metadata/annotations").path("osmhub.io/status").asText();
    }

    @Test
    void ofTwoChangesOfADefinitionTheLaterHoldsInWhateverOrderTheyAreApplied() {
        ShippedDefinition definition = ShippedDefinition.OPERATING_SYSTEM_PROFILES;
        world.definition(definition, WHOLE);
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.definition(definition, WITHOUT_FIELDS);
        world.definition(definition, WHOLE);
        world.time.step();
        world.time.step();
        world.time.reverse();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.hub().definitionProblems()).isEmpty();
    }

    @Test
    void aProfileStoredWithFieldsOfAnEarlierDefinitionGetsThemAsAnnotations() {
        world.start();
        world.profile("osm-hub", "osp-own", "v1.0.0", "text");
        ObjectNode object = Objects.requireNonNull(
                world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "osm-hub", "osp-own"));
        object.withObject("/spec").put("supportedKubernetesVersions", ">=1.31.0");
        world.management.put(Resource.OPERATING_SYSTEM_PROFILES, object.toString(), "kubectl");
        world.pass(Duration.ofSeconds(5));

        assertThat(Objects.requireNonNull(
                                world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "osm-hub", "osp-own"))
                        .at("/metadata/annotations")
                        .path("osmhub.io/supported-kubernetes-versions")
                        .asText())
                .isEqualTo(">=1.31.0");
    }

    @Test
    void aChangedSharedProfileReachesAllTenants() {
        SimulatedServer one = world.tenant("t1");
        SimulatedServer two = world.tenant("t2");
        machineDeployment(one, "workers");
        machineDeployment(two, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.profile("osm-profiles", "osp-ubuntu", "v1.1.0", "another text");
        world.pass(Duration.ofSeconds(1));

        assertThat(config("t1")).contains("another text");
        assertThat(config("t2")).contains("another text");
    }

    /** As an API server responds while it starts and has not read its roles yet, or while an operator replaces the hub's. */
    @Test
    void aManagementClusterThatRefusesForAWhileIsFollowedAgainAfterwards() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.management.failEverything(SimulatedServer.status(403, "Forbidden", "clusterrole osm-hub not found"));
        world.pass(Duration.ofSeconds(5));
        world.management.failEverything(null);
        world.pass(Duration.ofMinutes(2));
        world.profile("osm-profiles", "osp-ubuntu", "v1.1.0", "another text");
        world.pass(Duration.ofSeconds(1));

        assertThat(config("t1")).contains("another text");
    }

    @Test
    void aProfileOfItsOwnReachesItsTenantOnly() {
        SimulatedServer one = world.tenant("t1");
        SimulatedServer two = world.tenant("t2");
        machineDeployment(one, "workers");
        machineDeployment(two, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        two.forgetRequests();

        world.profile("t1", "osp-ubuntu", "v1.0.0", "own text");
        world.pass(Duration.ofSeconds(1));

        assertThat(config("t1")).contains("own text");
        assertThat(config("t2")).doesNotContain("own text");
        assertThat(two.writes()).isZero();
    }

    @Test
    void aChangedSettingReachesTheSecretsWithinASecond() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.patch("t1", "prod", "{'spec':{'provisioning':{'clusterDNS':['10.99.0.10']}}}");
        world.pass(Duration.ofSeconds(1));

        assertThat(config("t1")).contains("10.99.0.10");
    }

    @Test
    void wrongSettingsKeepWhatIsPublishedAndSayWhatToMend() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        String before = config("t1");

        world.patch(
                "t1", "prod", "{'spec':{'provisioning':{'registries':{'credentialsSecretRef':{'name':'missing'}}}}}");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo("SettingsReferenceNotFound");
        assertThat(config("t1")).isEqualTo(before);
        assertThat(world.notes("SettingsReferenceNotFound")).isNotEmpty().allSatisfy(note -> assertThat(note)
                .startsWith("t1: WorkerCluster prod, "));

        world.patch("t1", "prod", "{'spec':{'provisioning':{'registries':null}}}");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.reason("t1", "prod", "Ready")).isEqualTo("Serving");
        assertThat(world.events()).contains("ProblemResolved");
    }

    @Test
    void otherContentOfOsmIsKeptUntilTheOperatorConsents() {
        SimulatedServer worker = world.tenant("t1");
        for (String name : List.of("workers", "others", "later")) {
            machineDeployment(worker, name);
        }
        publishedByOsm(worker, "workers");
        publishedByOsm(worker, "others");
        world.start();
        world.pass(Duration.ofSeconds(10));

        assertThat(bootstrap(worker, "workers")).isEqualTo("osms");
        assertThat(bootstrap(worker, "others")).isEqualTo("osms");
        assertThat(bootstrap(worker, "later")).contains("#cloud-config");
        assertThat(world.state("t1", "prod")).isEqualTo("Degraded");
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo("OSMContentKept");
        assertThat(String.valueOf(world.workerCluster("t1", "prod")))
                .contains("t1: WorkerCluster prod: 2 of 3 MachineDeployments would get other content")
                .contains("hub migrate plan")
                .contains("hub cluster adopt prod -n t1");

        world.kill();
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(bootstrap(worker, "workers")).isEqualTo("osms");

        world.patch("t1", "prod", "{'spec':{'osmContent':'Replace'}}");
        world.pass(Duration.ofSeconds(10));

        assertThat(bootstrap(worker, "workers")).contains("#cloud-config");
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    private static void publishedByOsm(SimulatedServer worker, String name) {
        worker.put(Resource.SECRETS, """
                {"metadata": {"namespace": "cloud-init-settings", "name": "%s-kube-system-bootstrap-config", "annotations": {
                  "k8c.io/machine-deployment-revision": "1", "k8c.io/mdannotations-hash": "x", "k8c.io/osp-version": "v1.11.2"}},
                 "type": "Opaque", "immutable": true, "data": {"cloud-config": "b3Ntcw=="}}
                """.formatted(name), "osm-controller");
    }

    @Test
    void aPausedTenantIsLeftAlone() {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t1", "prod", "{'spec':{'paused':true}}");
        world.pass(Duration.ofSeconds(1));
        worker.forgetRequests();

        machineDeployment(worker, "workers");
        world.pass(Duration.ofMinutes(5));

        assertThat(worker.writes()).isZero();
        assertThat(world.state("t1", "prod")).isEqualTo("Paused");
        assertThat(world.notes("Paused")).singleElement().satisfies(note -> assertThat(note)
                .startsWith("t1: WorkerCluster prod"));

        world.patch("t1", "prod", "{'spec':{'paused':false}}");
        world.pass(Duration.ofSeconds(5));
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void aRestartWritesNoEventsForWhatIsUnchanged() {
        SimulatedServer healthy = world.tenant("t1");
        machineDeployment(healthy, "workers");
        SimulatedServer warned = world.tenant("t2");
        machineDeployment(warned, "workers");
        SimulatedServer broken = world.tenant("t3");
        machineDeployment(broken, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t2", "prod", "{'spec': {'profiles': {'namespaces': ['absent']}}}");
        world.patch(
                "t3",
                "prod",
                "{'spec': {'provisioning': {'proxy': {'httpProxySecretRef': {'name': 'none', 'key': 'k'}}}}}");
        world.pass(Duration.ofMinutes(5));

        world.kill();
        List<SimulatedServer> servers = List.of(world.management, healthy, warned, broken);
        servers.forEach(SimulatedServer::forgetRequests);
        world.start();
        world.pass(Duration.ofMinutes(5));

        assertThat(servers.stream()
                        .flatMap(server -> server.requests().stream())
                        .filter(request -> request.resource() == Resource.EVENTS)
                        .map(request -> String.valueOf(request.body())))
                .isEmpty();
    }

    @Test
    void anotherKubeconfigInTheSecretIsTakenIntoUse() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        worker.forgetRequests();

        world.register("t1", "admin", "prod", "t1.example.org", "token-2");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.connections.opened).hasSize(1);
        assertThat(world.connections.opened.getFirst().kubeconfig.credential().toString())
                .doesNotContain("token-1");
        assertThat(worker.writes()).isZero();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void aKubeconfigThatIsRefusedNeverTakesAwayTheOneThatWorks() {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.register("t1", "admin", "prod", "127.0.0.1", "token-2");
        world.pass(Duration.ofSeconds(1));
        machineDeployment(worker, "workers");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t1", "prod", "CredentialsValid")).isEqualTo("NewCredentialsUnproven");
        assertThat(world.events()).contains("NewCredentialsUnproven");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void otherTimeoutsLeaveTheConnectionToTheWorkingKubeconfigOpen() {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.register("t1", "admin", "prod", "dead.example.org", "token-2");
        world.pass(Duration.ofSeconds(1));

        world.patch("t1", "prod", "{'spec':{'connection':{'requestTimeout':'20s','pingInterval':'9s'}}}");
        world.pass(Duration.ofSeconds(1));
        machineDeployment(worker, "workers");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.connections.opened).hasSize(1);
        assertThat(world.connections.opened.getFirst().closed).isFalse();
        assertThat(world.connections.opened.getFirst().kubeconfig.host()).isEqualTo("t1.example.org");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void aKubeconfigThatWasNeverGoodIsConnectedToNowhere() {
        world.tenant("t1");
        world.register("t1", "admin", "prod", "169.254.169.254", "token");

        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.connections.opened).isEmpty();
        assertThat(world.reason("t1", "prod", "CredentialsValid")).isEqualTo("EndpointRefused");
        assertThat(world.state("t1", "prod")).isEqualTo("Unauthorized");
    }

    @Test
    void aMissingSecretIsSaidAndItsComingHelps() {
        world.tenant("t1");
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.worker("t2.example.org");
        world.start();
        world.management.put(
                Resource.WORKER_CLUSTERS,
                "{\"metadata\":{\"namespace\":\"t2\",\"name\":\"byhand\"},\"spec\":{\"kubeconfigSecretRef\":{\"name\":\"later\"}}}",
                "kubectl");
        world.pass(Duration.ofSeconds(2));
        assertThat(world.reason("t2", "byhand", "CredentialsValid")).isEqualTo("KubeconfigSecretNotFound");

        world.register("t2", "later", null, "t2.example.org", "token");
        world.pass(Duration.ofSeconds(2));

        assertThat(world.state("t2", "byhand")).isEqualTo("Synced");
    }

    @Test
    void aSecondRefusalForTheSameReasonIsReportedToo() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.patch("t1", "prod", "{'spec':{'target':'ManagementCluster'}}");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.events()).containsOnlyOnce("LocalTargetRefused");

        world.patch("t1", "prod", "{'spec':{'target':null}}");
        world.pass(Duration.ofMinutes(11));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        world.patch("t1", "prod", "{'spec':{'target':'ManagementCluster'}}");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.events().stream().filter("LocalTargetRefused"::equals)).hasSize(2);
    }

    @Test
    void theSecondWorkerClusterOfANamespaceIsRefusedUntilTheFirstIsGone() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(2));
        world.worker("other.example.org");
        world.register("t1", "second", "second", "other.example.org", "token");
        world.pass(Duration.ofSeconds(2));

        assertThat(world.reason("t1", "second", "Synced")).isEqualTo("TenantNamespaceTaken");
        assertThat(world.connections.opened).hasSize(1);

        world.delete(Resource.SECRETS, "t1", "admin");
        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.pass(Duration.ofSeconds(20));
        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(world.state("t1", "second")).isEqualTo("Synced");
    }

    @Test
    void oneWorkerClusterIsServedForOneTenantOnly() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        worker.forgetRequests();
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.connections.servers.put("alias.example.org", worker);
        world.register("t2", "admin", "copy", "alias.example.org", "token");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t2", "copy", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(worker.writes()).isZero();
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t2", "workers-kube-system-config"))
                .isNull();
    }

    /** t1 has the worker cluster, t2 claims the same one; after a restart either may be reached first. */
    @ParameterizedTest
    @ValueSource(strings = {"t1.example.org", "alias.example.org"})
    void whoHadAWorkerClusterFirstKeepsItAfterARestart(String late) {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.connections.servers.put("alias.example.org", worker);
        world.register("t2", "admin", "copy", "alias.example.org", "token");
        world.pass(Duration.ofSeconds(5));

        restartWith(late);

        assertThat(world.reason("t2", "copy", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertNothingOf("t2");
    }

    /** An API server reports another's UID only after that one is served, though it was registered before. */
    @ParameterizedTest
    @ValueSource(strings = {"t1.example.org", "alias.example.org"})
    void anOlderRegistrationDoesNotTakeAWorkerClusterThatIsServed(String late) {
        FleetWorld.namespace(world.management, "t0", Map.of());
        SimulatedServer own = world.worker("t0.example.org");
        machineDeployment(own, "workers");
        world.register("t0", "admin", "copy", "t0.example.org", "token");
        world.start();
        world.pass(Duration.ofSeconds(60));
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        world.connections.servers.put("alias.example.org", worker);
        world.register("t0", "admin", "copy", "alias.example.org", "token");
        String id = Objects.requireNonNull(worker.object(Resource.NAMESPACES, "", "kube-system"))
                .at("/metadata/uid")
                .asText();
        world.patch("t0", "copy", "{'metadata':{'annotations':{'osmhub.io/accept-cluster-id':'" + id + "'}}}");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.reason("t0", "copy", "Synced")).isEqualTo("WorkerClusterDuplicate");
        restartWith(late);

        assertThat(world.reason("t0", "copy", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        machineDeployment(worker, "more");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "more-kube-system-config"))
                .isNotNull();
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t0", "more-kube-system-config"))
                .isNull();
    }

    @Test
    void whoWaitsForAWorkerClusterIsServedWhenTheOtherRegistrationIsGone() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.connections.servers.put("alias.example.org", worker);
        world.register("t2", "admin", "copy", "alias.example.org", "token");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.reason("t2", "copy", "Synced")).isEqualTo("WorkerClusterDuplicate");

        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofSeconds(30));

        assertThat(world.state("t2", "copy")).isEqualTo("Synced");
    }

    @Test
    void theFirstTenantOfAContestedClusterGetsAnEventAlsoIfAnotherReplicaServesIt() {
        SimulatedServer first = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.served = namespace -> !namespace.equals("t1");
        world.hub().onLeadershipChanged();
        sameIdAs(first, "t2.example.org");
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.register("t2", "admin", "prod", "t2.example.org", "token");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t2", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(eventsOf("t1", "WorkerClusterContested")).isEqualTo(1);
    }

    /** An API server of t1 reports the UID of another tenant's worker cluster before that one is registered. */
    @Test
    void whoFirstLiedAboutItsClusterGivesWayWhenAnOperatorDecides() {
        SimulatedServer lying = world.tenant("t1");
        machineDeployment(lying, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        SimulatedServer worker = sameIdAs(lying, "t2.example.org");
        machineDeployment(worker, "workers");
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.register("t2", "admin", "prod", "t2.example.org", "token");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.reason("t2", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(worker.writes()).isZero();
        assertThat(eventsOf("t1", "WorkerClusterContested")).isEqualTo(1);
        assertThat(eventsOf("t2", "WorkerClusterDuplicate")).isEqualTo(1);

        // Objects that a tenant may write decide nothing.
        world.patch(
                "t2",
                "prod",
                "{'metadata':{'annotations':{'osmhub.io/accept-cluster-id':'" + id(lying) + "'},"
                        + "'labels':{'osmhub.io/cluster-id':'" + id(lying) + "'}}}");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.reason("t2", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");

        FleetWorld.namespace(world.management, "t2", Map.of("osmhub.io/cluster-id", id(lying)));
        world.pass(Duration.ofSeconds(30));

        assertThat(world.state("t2", "prod")).isEqualTo("Synced");
        assertThat(FleetWorld.bootstrap(worker, "workers")).isNotNull();
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");
        lying.forgetRequests();
        machineDeployment(lying, "more");
        world.pass(Duration.ofSeconds(30));
        assertThat(lying.writes()).isZero();

        restartWith("t2.example.org");
        assertThat(world.state("t2", "prod")).isEqualTo("Synced");
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");
    }

    /** An API server of t2 reports the UID of the worker cluster that t1 is served with. */
    @Test
    void whoLiesAboutItsClusterNeitherTakesNorStopsTheOneThatIsServed() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        SimulatedServer lying = sameIdAs(worker, "t2.example.org");
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.register("t2", "admin", "prod", "t2.example.org", "token");
        world.pass(Duration.ofSeconds(5));

        machineDeployment(worker, "more");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(FleetWorld.bootstrap(worker, "more")).isNotNull();
        assertThat(world.reason("t2", "prod", "Synced")).isEqualTo("WorkerClusterDuplicate");
        assertThat(lying.writes()).isZero();
        assertThat(eventsOf("t1", "WorkerClusterContested")).isEqualTo(1);
    }

    /** Another worker cluster that reports the same UID of {@code kube-system}. */
    private SimulatedServer sameIdAs(SimulatedServer other, String host) {
        SimulatedServer worker = world.worker(host);
        String own = id(worker);
        String reported = id(other);
        worker.lie((request, answer) ->
                new String(answer, UTF_8).replace(own, reported).getBytes(UTF_8));
        return worker;
    }

    private static String id(SimulatedServer worker) {
        return Objects.requireNonNull(worker.object(Resource.NAMESPACES, "", "kube-system"))
                .at("/metadata/uid")
                .asText();
    }

    private long eventsOf(String tenant, String reason) {
        return world.management.all(Resource.EVENTS).stream()
                .filter(event -> event.at("/metadata/namespace").asText().equals(tenant)
                        && event.path("reason").asText().equals(reason))
                .count();
    }

    private void restartWith(String late) {
        world.kill();
        world.connections.cutOff.add(late);
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.connections.heal(late);
        world.pass(Duration.ofSeconds(60));
    }

    private void assertNothingOf(String tenant) {
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, tenant, "workers-kube-system-config"))
                .isNull();
    }

    @Test
    void anotherClusterBehindTheKubeconfigIsNotWrittenToUntilAPersonAcceptsIt() {
        machineDeployment(world.tenant("t1"), "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.kill();
        SimulatedServer rebuilt = world.worker("t1.example.org");
        machineDeployment(rebuilt, "workers");

        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t1", "prod", "Connected")).isEqualTo("ClusterIdentityChanged");
        assertThat(rebuilt.writes()).isZero();

        String id = Objects.requireNonNull(rebuilt.object(Resource.NAMESPACES, "", "kube-system"))
                .at("/metadata/uid")
                .asText();
        world.patch("t1", "prod", "{'metadata':{'annotations':{'osmhub.io/accept-cluster-id':'" + id + "'}}}");
        world.pass(Duration.ofSeconds(5));
        assertThat(bootstrap(rebuilt, "workers")).isNotNull();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void removingATenantLeavesNothing() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(bootstrap(worker, "workers")).isNull();
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config"))
                .isNull();
        assertThat(Objects.requireNonNull(worker.object(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers"))
                        .at("/metadata/finalizers"))
                .isEmpty();
        assertThat(world.hub().tenants()).isEmpty();
    }

    private static final String WORKER_CLUSTERS = ShippedDefinition.WORKER_CLUSTERS.definitionName();

    /** As the API server does it: the definition stays until its objects are gone, and until then none can be created. */
    private void deleteDefinition(String namespace, String... workerClusters) {
        world.definition(ShippedDefinition.WORKER_CLUSTERS, WHOLE, "customresourcecleanup.apiextensions.k8s.io");
        world.delete(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WORKER_CLUSTERS);
        ApiFailure terminating = SimulatedServer.status(
                403,
                "Forbidden",
                "workerclusters.osmhub.io \"prod\" is forbidden: create not allowed while custom resource definition is terminating");
        world.management.reject(request ->
                request.verb() == Verb.CREATE && request.resource() == Resource.WORKER_CLUSTERS ? terminating : null);
        for (String name : workerClusters) {
            world.delete(Resource.WORKER_CLUSTERS, namespace, name);
        }
        world.pass(Duration.ofSeconds(30));
    }

    /** The last object is deleted, the API server no longer serves the kind, and the hub installs the definition again. */
    private void completeDeletion() {
        world.management.reject(request -> null);
        world.definition(ShippedDefinition.WORKER_CLUSTERS, WHOLE);
        assertThat(world.management.object(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WORKER_CLUSTERS))
                .isNull();

        world.pass(Duration.ofMinutes(3));
        assertThat(Objects.requireNonNull(
                                world.management.object(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WORKER_CLUSTERS),
                                "installed again")
                        .at("/metadata/deletionTimestamp")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void aDeletedDefinitionTakesNoSecretOfAWorkerClusterWithItAndIsInstalledAgain() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        String published = uid(bootstrapSecret(worker));

        deleteDefinition("t1", "prod");
        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(uid(bootstrapSecret(worker))).isEqualTo(published);
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config"))
                .isNotNull();

        completeDeletion();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(uid(bootstrapSecret(worker))).isEqualTo(published);
    }

    @Test
    void aWorkerClusterThatCannotBeCreatedDoesNotKeepAnotherFromBeingReleasedWithTheDefinition() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(2));
        world.worker("other.example.org");
        world.register("t1", "second", "second", "other.example.org", "token");
        world.pass(Duration.ofSeconds(2));
        assertThat(world.reason("t1", "second", "Synced")).isEqualTo("TenantNamespaceTaken");

        deleteDefinition("t1", "second", "prod");

        assertThat(world.workerCluster("t1", "prod")).isNull();
    }

    @Test
    void aDeadWorkerClusterDoesNotHoldUpADeletedDefinition() {
        machineDeployment(world.tenant("t1"), "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t1", "prod", "{'spec':{'cleanupTimeout':'1h'}}");
        Objects.requireNonNull(world.connections.servers.get("t1.example.org"))
                .failEverything(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer"));
        world.pass(Duration.ofSeconds(1));

        deleteDefinition("t1", "prod");

        assertThat(world.workerCluster("t1", "prod")).isNull();
    }

    @Test
    void aSecretThatMayNotBeReadDoesNotHoldUpADeletedDefinition() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(2));
        world.patch("t1", "prod", "{'spec':{'cleanupTimeout':'1h'}}");
        world.kill();
        world.management.forbid(request -> request.resource() == Resource.SECRETS);
        world.start();

        deleteDefinition("t1", "prod");

        assertThat(world.workerCluster("t1", "prod")).isNull();
    }

    /** What the owner of one WorkerCluster asked for before is completed. */
    @Test
    void aRemovalThatHasStartedIsNotChangedByADeletedDefinition() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t1", "prod", "{'spec':{'cleanupTimeout':'20s'}}");
        worker.failEverything(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer"));
        world.pass(Duration.ofSeconds(1));
        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.pass(Duration.ofSeconds(5));

        deleteDefinition("t1");

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config"))
                .isNull();
    }

    @Test
    void aDefinitionThatMayNotBeReadDoesNotKeepATenantFromBeingRemoved() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.management.forbid(request -> request.resource() == Resource.CUSTOM_RESOURCE_DEFINITIONS);

        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(bootstrap(worker, "workers")).isNull();
    }

    private static @Nullable JsonNode bootstrapSecret(SimulatedServer worker) {
        return worker.object(Resource.SECRETS, "cloud-init-settings", "workers-kube-system-bootstrap-config");
    }

    private static String uid(@Nullable JsonNode object) {
        return Objects.requireNonNull(object).at("/metadata/uid").asText();
    }

    @Test
    void removingATenantWhoseWorkerIsDeadEndsInTimeAndSaysWhatMayBeLeft() {
        machineDeployment(world.tenant("t1"), "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t1", "prod", "{'spec':{'cleanupTimeout':'30s'}}");
        SimulatedServer worker = Objects.requireNonNull(world.connections.servers.get("t1.example.org"));
        worker.failEverything(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer"));
        world.pass(Duration.ofSeconds(1));

        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofSeconds(20));
        assertThat(world.workerCluster("t1", "prod")).isNotNull();
        assertThat(world.state("t1", "prod")).isEqualTo("Closed");
        world.pass(Duration.ofSeconds(20));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(world.events()).contains("WorkerCleanupIncomplete");
        assertThat(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config"))
                .isNull();
    }

    @Test
    void removingATenantThatWasNeverReachedEndsInTime() {
        world.tenant("t1");
        world.connections.cutOff.add("t1.example.org");
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("t1", "prod")).isEqualTo("Unreachable");

        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");
        world.pass(Duration.ofMinutes(3));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(world.events()).contains("WorkerCleanupIncomplete");
    }

    @Test
    void afterARestartWithoutTheSecretRemovalLetsGo() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.kill();
        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.delete(Resource.SECRETS, "t1", "admin");

        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.workerCluster("t1", "prod")).isNull();
        assertThat(world.events()).contains("WorkerCleanupIncomplete");
    }

    @Test
    void aRestartedHubWritesNothingThatIsThere() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofMinutes(1));
        world.kill();
        worker.forgetRequests();
        world.management.forgetRequests();

        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(worker.writes()).isZero();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(world.management.requests().stream()
                        .filter(request -> request.resource() == Resource.OPERATING_SYSTEM_CONFIGS
                                && request.verb().writes()
                                && request.subresource().isEmpty()))
                .isEmpty();
    }

    @Test
    void aDeadWorkerDoesNotTouchTheOthers() {
        machineDeployment(world.tenant("dead"), "workers");
        world.connections.cutOff.add("dead.example.org");
        SimulatedServer fine = world.tenant("fine");
        machineDeployment(fine, "workers");

        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(bootstrap(fine, "workers")).isNotNull();
        assertThat(world.state("dead", "prod")).isEqualTo("Unreachable");
        world.connections.heal("dead.example.org");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("dead", "prod")).isEqualTo("Synced");
    }

    @Test
    void aReplicaThatMayNotWriteWritesNowhere() {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        worker.forgetRequests();
        world.management.forgetRequests();

        world.mayWrite = false;
        machineDeployment(worker, "workers");
        world.pass(Duration.ofMinutes(1));
        assertThat(worker.writes()).isZero();
        assertThat(world.management.writes()).isZero();

        world.mayWrite = true;
        world.pass(Duration.ofMinutes(1));
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void whatIsNotThisReplicasIsNotTouched() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.served = namespace -> false;
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.hub().tenants()).isEmpty();
        assertThat(world.workerCluster("t1", "prod")).isNull();

        world.served = namespace -> true;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        worker.forgetRequests();
        world.served = namespace -> false;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.hub().tenants()).isEmpty();
        assertThat(worker.writes()).isZero();
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    /** Each such watch costs the management cluster one, and holds a kubeconfig. */
    @Test
    void aSecretThatOnlyItsWorkerClusterNamesIsNotWatchedForAnotherReplicasTenant() {
        FleetWorld.namespace(world.management, "t2", Map.of());
        world.worker("t2.example.org");
        world.register("t2", "later", null, "t2.example.org", "token");
        world.start();
        world.pass(Duration.ofSeconds(2));
        int before = world.management.watches();
        world.management.put(
                Resource.WORKER_CLUSTERS,
                "{\"metadata\":{\"namespace\":\"t2\",\"name\":\"byhand\"},\"spec\":{\"kubeconfigSecretRef\":{\"name\":\"later\"}}}",
                "kubectl");
        world.pass(Duration.ofSeconds(2));
        assertThat(world.state("t2", "byhand")).isEqualTo("Synced");
        assertThat(world.management.watches()).isEqualTo(before + 1);

        world.served = namespace -> false;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofSeconds(2));

        assertThat(world.management.watches()).isEqualTo(before);
    }

    @Test
    void whatIsAnotherReplicasByNowIsNotWrittenEvenBeforeTheNextLook() {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        worker.forgetRequests();
        world.management.forgetRequests();

        world.served = namespace -> false;
        machineDeployment(worker, "workers");
        world.pass(Duration.ofSeconds(5));

        assertThat(worker.writes()).isZero();
        assertThat(world.management.writes()).isZero();
    }

    @Test
    void oneRequestIsEnoughToLookAtEverythingAgain() {
        world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        int before = world.connections.opened.getFirst().reconnects;

        world.patch(
                "t1",
                "prod",
                "{'metadata':{'annotations':{'osmhub.io/reconcile-requested-at':'2026-03-01T00:00:00Z'}}}");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.connections.opened.getFirst().reconnects).isEqualTo(before + 1);
        assertThat(Objects.requireNonNull(world.workerCluster("t1", "prod"))
                        .at("/status/lastHandledRequest")
                        .asText())
                .isEqualTo("2026-03-01T00:00:00Z");
    }

    @Test
    void aDeletedOperatingSystemConfigComesBack() {
        machineDeployment(world.tenant("t1"), "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.delete(Resource.OPERATING_SYSTEM_CONFIGS, "t1", "workers-kube-system-config");
        world.pass(Duration.ofSeconds(1));

        assertThat(config("t1")).contains("shared");
    }

    @Test
    void eachProfileSaysWhetherItCanBeUsed() {
        world.tenant("t1");
        world.profile("t1", "osp-broken", "v1.0.0", "{{ if }}");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(valid("osm-profiles", "osp-ubuntu")).isEqualTo("True TemplatesVerified");
        assertThat(valid("t1", "osp-broken")).isEqualTo("False TemplateSyntaxError");
        assertThat(world.events()).contains("TemplateSyntaxError");

        world.profile("t1", "osp-broken", "v1.0.0", "mended");
        world.pass(Duration.ofSeconds(5));
        assertThat(valid("t1", "osp-broken")).isEqualTo("True TemplatesVerified");
        assertThat(world.events()).contains("ProfileChangedInPlace");
    }

    private String valid(String namespace, String name) {
        JsonNode profile =
                Objects.requireNonNull(world.management.object(Resource.OPERATING_SYSTEM_PROFILES, namespace, name));
        return profile.at("/status/conditions/0/status").asText() + " "
                + profile.at("/status/conditions/0/reason").asText();
    }

    @Test
    void theManagementClusterServesItselfInSingleMode() {
        world.settings = FleetWorld.settings("osm-hub", true);
        world.management.put(
                Resource.CONFIG_MAPS, io.osmhub.workersync.fake.SyncWorld.clusterInfo("https://self:6443"), "kubeadm");
        world.management.put(
                Resource.SECRETS,
                io.osmhub.workersync.fake.SyncWorld.secret(
                        "cloud-init-settings", "cloud-init-getter-token", Map.of("token", "t")),
                "kubectl");
        machineDeployment(world.management, "workers");
        world.served = namespace -> false;

        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.workerCluster("osm-hub", "local"))
                .as("while another replica may serve the namespace")
                .isNull();
        world.served = namespace -> true;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("osm-hub", "local")).isEqualTo("Synced");
        assertThat(bootstrap(world.management, "workers")).isNotNull();

        deleteDefinition("osm-hub", "local");
        completeDeletion();

        assertThat(world.state("osm-hub", "local")).isEqualTo("Synced");
    }

    @Test
    void aStoppedHubDoesNothingMore() throws ApiFailure {
        SimulatedServer worker = world.tenant("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));

        world.hub().stop();
        worker.forgetRequests();
        world.management.forgetRequests();
        machineDeployment(worker, "workers");
        world.management.send(ApiRequest.list(Resource.WORKER_CLUSTERS, "", Map.of()));
        world.pass(Duration.ofHours(1));

        assertThat(worker.requests()).isEmpty();
        assertThat(world.management.requests()).hasSize(1);
    }

    private String config(String namespace) {
        JsonNode config =
                world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, namespace, "workers-kube-system-config");
        return config == null ? "" : config.path("spec").toString();
    }
}
