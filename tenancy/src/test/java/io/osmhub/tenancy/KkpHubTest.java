package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.LayeredSettings.SettingSource;
import io.osmhub.core.settings.Setting;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hub in KKP mode: first where KKP is absent or incomplete, then with its objects. */
class KkpHubTest {
    private static final List<Resource> KINDS =
            List.of(Resource.KKP_CLUSTERS, Resource.KKP_SEEDS, Resource.KKP_CONFIGURATIONS);
    private static final String OSM = "operatingsystemmanager-kubeconfig";

    private final FleetWorld world = new FleetWorld();

    @BeforeEach
    void inKkpMode() {
        world.settings = HubTest.removing(Duration.ofMinutes(5), new SecretDiscovery(OSM, false));
    }

    // Objects

    private void put(Resource resource, String json) {
        world.management.put(resource, json.replace('\'', '"'), "kkp");
        world.pass(Duration.ofSeconds(5));
    }

    private void seed(String node) {
        put(
                Resource.KKP_SEEDS,
                "{'metadata': {'namespace': 'kubermatic', 'name': 's'}, 'spec': {'datacenters': {'d': {'node': {" + node
                        + "}}}}}");
    }

    private void cluster(String name, String spec) {
        cluster(name, "", spec);
    }

    private void cluster(String name, String metadata, String spec) {
        put(
                Resource.KKP_CLUSTERS,
                "{'metadata': {'name': '%s'%s}, 'spec': {'cloud': {'dc': 'd', 'aws': {'secretAccessKey': 'Hunter2'}}%s}, 'status': {'namespaceName': 'cluster-%s', 'address': {'adminToken': 'Hunter2'}}}"
                        .formatted(name, metadata, spec, name));
    }

    /** The namespace of a Cluster with its Secret, and the worker cluster. */
    private SimulatedServer controlPlane(String name) {
        FleetWorld.namespace(world.management, "cluster-" + name, Map.of());
        SimulatedServer worker = world.worker(name + ".example.org");
        machineDeployment(worker, "workers");
        world.register("cluster-" + name, OSM, null, name + ".example.org", "token");
        return worker;
    }

    private String state(String name) {
        return world.state("cluster-" + name, "cluster-" + name);
    }

    private String status(String name) {
        JsonNode object = world.workerCluster("cluster-" + name, "cluster-" + name);
        return object == null ? "" : object.path("status").toString();
    }

    private static String provision(SimulatedServer worker) {
        JsonNode secret =
                worker.object(Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-provisioning-config");
        if (secret == null) {
            return "";
        }
        String userData = decoded(secret.path("data").path("cloud-config").asText());
        return userData.lines()
                .dropWhile(line -> !line.contains("content: |-"))
                .skip(1)
                .findFirst()
                .map(line -> decoded(line.strip()))
                .orElseThrow();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private LayeredSettings settings(String name) {
        return Objects.requireNonNull(world.hub()
                .tenant("cluster-" + name, "cluster-" + name)
                .orElseThrow()
                .settings());
    }

    // Absent and incomplete

    @Test
    void aManagementClusterWithoutKkpIsAStateWithAReason() {
        KINDS.forEach(kind -> world.management.withdraw(kind, true));
        SimulatedServer other = world.tenant("t1");
        machineDeployment(other, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.hub().isReady()).isTrue();
        assertThat(world.hub().managementProblem()).isEmpty();
        assertThat(world.hub().definitionProblems())
                .extracting(problem -> problem.message())
                .containsExactly(
                        "hub: CustomResourceDefinition clusters.kubermatic.k8c.io: not found in the management cluster, the hub works without its objects; install KKP's definitions, or unset kkp.namespace",
                        "hub: CustomResourceDefinition seeds.kubermatic.k8c.io: not found in the management cluster, the hub works without its objects; install KKP's definitions, or unset kkp.namespace",
                        "hub: CustomResourceDefinition kubermaticconfigurations.kubermatic.k8c.io: not found in the management cluster, the hub works without its objects; install KKP's definitions, or unset kkp.namespace");
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        world.management.forgetRequests();
        world.pass(Duration.ofHours(1));
        assertThat(world.management.requests().stream().filter(request -> KINDS.contains(request.resource())))
                .as("about one attempt a minute and kind")
                .hasSizeLessThan(250);

        KINDS.forEach(kind -> world.management.withdraw(kind, false));
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.pass(Duration.ofMinutes(3));
        assertThat(world.hub().definitionProblems()).isEmpty();
        assertThat(state("x")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void withoutPermissionTheHubIsNotReadyAndRendersNothing() {
        world.management.forbid(request -> request.resource() == Resource.KKP_CLUSTERS);
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofMinutes(1));

        assertThat(world.hub().isReady()).isFalse();
        assertThat(world.hub().missingLists()).containsExactly("clusters.kubermatic.k8c.io");
        assertThat(world.hub().managementProblem().orElseThrow().message()).contains("clusters.kubermatic.k8c.io");
        assertThat(bootstrap(worker, "workers")).isNull();
    }

    @Test
    void aSecretWithoutACluster() {
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("cluster-x", "cluster-x")).isNull();
        assertThat(bootstrap(worker, "workers")).isNull();
    }

    @Test
    void aTenantOfKkpWithoutItsClusterIsNotRenderedWithOtherSettings() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(5));
        String before = provision(worker);
        assertThat(state("x")).isEqualTo("Synced");

        world.delete(Resource.KKP_CLUSTERS, "", "x");
        world.pass(Duration.ofMinutes(1));

        assertThat(status("x"))
                .contains("Cluster, status.namespaceName: no Cluster of kubermatic.k8c.io has namespace cluster-x");
        assertThat(provision(worker)).isEqualTo(before);
    }

    @Test
    void anErrorThatStopsKkpIsShownAtItsObject() {
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(status("x")).contains("Cluster x, spec.cloud.dc: datacenter missing: d is not in spec.datacenters");
        assertThat(bootstrap(worker, "workers")).isNull();
        assertThat(world.management.all(Resource.WORKER_CLUSTERS).toString()).doesNotContain("Hunter2");

        seed("");
        world.pass(Duration.ofSeconds(5));
        assertThat(state("x")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    // With KKP

    @Test
    void everyClusterBecomesATenantWithTheSettingsOfItsObjects() {
        seed("'pauseImage': 'dc/pause'");
        cluster(
                "x",
                ", 'clusterNetwork': {'nodeLocalDNSCacheEnabled': false, 'services': {'cidrBlocks': ['10.1.2.3/16']}}");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(Objects.requireNonNull(world.workerCluster("cluster-x", "cluster-x"))
                        .at("/metadata/annotations/osmhub.io~1registered-by")
                        .asText())
                .isEqualTo("KKP");
        assertThat(state("x")).isEqualTo("Synced");
        assertThat(provision(worker)).contains("dns [10.1.0.10]");
        assertThat(settings("x").source(Setting.PAUSE_IMAGE)).isEqualTo(SettingSource.PLATFORM);
        assertThat(settings("x").origins(Setting.PAUSE_IMAGE))
                .hasToString("[Seed s spec.datacenters.d.node.pauseImage]");

        world.patch("cluster-x", "cluster-x", "{'spec':{'provisioning':{'clusterDNS':['10.9.9.9']}}}");
        world.pass(Duration.ofSeconds(10));
        assertThat(provision(worker)).contains("dns [10.9.9.9]");
        assertThat(settings("x").source(Setting.CLUSTER_DNS)).isEqualTo(SettingSource.TENANT);
    }

    @Test
    void aChangeReRendersOnlyTheTenantsThatItAffects() {
        seed("'pauseImage': 'dc/pause'");
        String own = ", 'containerRuntimeOpts': {'pauseImage': 'own/pause'}";
        cluster("x", "");
        cluster("y", own);
        SimulatedServer first = controlPlane("x");
        SimulatedServer second = controlPlane("y");
        world.start();
        world.pass(Duration.ofSeconds(10));
        first.forgetRequests();
        second.forgetRequests();

        cluster(
                "x",
                ", 'clusterNetwork': {'nodeLocalDNSCacheEnabled': false, 'services': {'cidrBlocks': ['10.1.0.0/16']}}");
        world.pass(Duration.ofSeconds(10));
        assertThat(provision(first)).contains("dns [10.1.0.10]");
        assertThat(writes(second)).isZero();

        // A status alone changes nothing.
        first.forgetRequests();
        put(
                Resource.KKP_CLUSTERS,
                Objects.requireNonNull(world.management.object(Resource.KKP_CLUSTERS, "", "y"))
                        .toString()
                        .replace("'address'", "'phase': 'Running', 'address'"));
        assertThat(writes(second)).isZero();

        seed("'pauseImage': 'dc/pause:2'");
        world.pass(Duration.ofSeconds(10));
        assertThat(settings("x").get(Setting.PAUSE_IMAGE).asText()).isEqualTo("dc/pause:2");
        assertThat(settings("y").get(Setting.PAUSE_IMAGE).asText()).isEqualTo("own/pause");
    }

    @Test
    void aSecretOfKkpNeverRemovesItsTenant() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(state("x")).isEqualTo("Synced");

        world.delete(Resource.SECRETS, "cluster-x", OSM);
        world.pass(Duration.ofDays(2));

        assertThat(state("x")).isEqualTo("Paused");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void registryCredentialsAreReadInTheUserClusterOnly() {
        seed("");
        cluster("x", ", 'imagePullSecret': {'namespace': 'cluster-x', 'name': 'pull'}");
        SimulatedServer worker = controlPlane("x");
        world.management.put(Resource.SECRETS, pullSecret("cluster-x", "seed"), "kkp");
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(status("x"))
                .contains("Cluster x, spec.imagePullSecret: no Secret pull")
                .contains("in namespace cluster-x");
        assertThat(bootstrap(worker, "workers")).isNull();

        worker.put(Resource.SECRETS, pullSecret("cluster-x", "user"), "user");
        world.pass(Duration.ofSeconds(10));
        assertThat(state("x")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();

        cluster("x", ", 'imagePullSecret': {'name': 'pull'}");
        world.pass(Duration.ofSeconds(10));
        assertThat(status("x")).contains("Cluster x, spec.imagePullSecret.namespace: is missing");
    }

    private static String pullSecret(String namespace, String user) {
        String config = "{\"auths\":{\"r.example.org\":{\"username\":\"%s\",\"password\":\"p\"}}}".formatted(user);
        ObjectNode secret = SimulatedServer.JSON.createObjectNode().put("type", "kubernetes.io/dockerconfigjson");
        secret.putObject("metadata").put("namespace", namespace).put("name", "pull");
        secret.putObject("data")
                .put(".dockerconfigjson", Base64.getEncoder().encodeToString(config.getBytes(StandardCharsets.UTF_8)));
        return secret.toString();
    }

    @Test
    void extensionsSelectTenantsByDatacenterAndProject() {
        seed("");
        cluster("x", ", 'labels': {'project-id': 'p1'}", "");
        SimulatedServer worker = controlPlane("x");
        for (String label : List.of("osmhub.io/kkp-datacenter': 'd", "osmhub.io/kkp-project': 'p2")) {
            world.extension(
                    "osm-profiles",
                    label.endsWith("d") ? "datacenter" : "project",
                    "{'target': {'operatingSystems': ['ubuntu'], 'tenants': {'matchLabels': {'" + label
                            + "'}}}, 'policy': 'Enforced', 'bootstrap': {'files': [{'path': '/etc/"
                            + (label.endsWith("d") ? "datacenter" : "project") + "', 'content': 'x'}]}}");
        }
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(bootstrap(worker, "workers")).contains("/etc/datacenter").doesNotContain("/etc/project");
        JsonNode stored = Objects.requireNonNull(
                world.management.object(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, "osm-profiles", "datacenter"));
        assertThat(world.hub().admission().impactOf(StoredExtension.of(stored)).machineDeployments())
                .isEqualTo(1);

        cluster("x", ", 'labels': {'project-id': 'p2'}", "");
        world.pass(Duration.ofSeconds(10));

        assertThat(bootstrap(worker, "workers")).contains("/etc/datacenter", "/etc/project");
    }

    @Test
    void aPausedClusterIsNotWrittenToUntilItResumes() {
        seed("");
        cluster("x", ", 'pause': true");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(10));

        assertThat(state("x")).isEqualTo("Paused");
        assertThat(status("x")).contains("spec.pause of Cluster x: the hub writes nothing");
        assertThat(writes(worker)).isZero();

        cluster("x", "");
        world.pass(Duration.ofSeconds(10));
        assertThat(state("x")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();

        cluster("x", ", 'pause': true");
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(10));
        assertThat(state("x")).isEqualTo("Paused");
        assertThat(bootstrap(worker, "later")).isNull();
    }

    /** Deletes a Cluster, which stays while KKP cleans up. */
    private void deletedCluster(String name) {
        cluster(name, ", 'finalizers': ['kubermatic.k8c.io/cleanup']", "");
        world.delete(Resource.KKP_CLUSTERS, "", name);
        world.pass(Duration.ofSeconds(5));
    }

    @Test
    void aClusterBeingDeletedGetsNothingNewAndItsMachineDeploymentsAreReleased() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(finalizers(worker, "workers")).contains(MachineDeployment.FINALIZER);

        deletedCluster("x");
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(10));
        assertThat(state("x")).isEqualTo("Paused");
        assertThat(status("x")).contains("metadata.deletionTimestamp of Cluster x");
        assertThat(bootstrap(worker, "later")).isNull();
        assertThat(bootstrap(worker, "workers")).isNotNull();

        // As KKP does, also after a restart of the hub.
        world.kill();
        world.start();
        world.pass(Duration.ofSeconds(10));
        delete(worker, "workers");
        delete(worker, "later");
        world.pass(Duration.ofSeconds(10));
        assertThat(worker.all(Resource.MACHINE_DEPLOYMENTS)).isEmpty();

        // Then the API server and everything in the namespace vanish.
        worker.failEverything(SimulatedServer.status(503, "ServiceUnavailable", "gone"));
        world.delete(Resource.SECRETS, "cluster-x", OSM);
        world.delete(Resource.NAMESPACES, "", "cluster-x");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.workerCluster("cluster-x", "cluster-x")).isNull();
        assertThat(world.hub().tenants()).isEmpty();
        // Also of an Event that was rejected because its namespace was deleted.
        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() == Resource.EVENTS)
                .isNotEmpty()
                .noneMatch(request ->
                        Objects.requireNonNullElse(request.body(), "").contains("WorkerCleanupIncomplete"));
    }

    /** Two writers at the same time are prevented by nothing but the Lease: KKP may start OSM again at any time. */
    @Test
    void theHubHoldsOsmsLeaseWhileItServesAClusterAndStopsWhenOsmHasIt() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(holder(worker)).startsWith("osm-hub_");

        worker.put(
                Resource.LEASES,
                "{\"metadata\":{\"namespace\":\"kube-system\",\"name\":\"operating-system-manager\"},\"spec\":{\"holderIdentity\":\"operating-system-manager-1\",\"leaseDurationSeconds\":15,\"renewTime\":\"2030-01-01T00:00:00.000000Z\"}}",
                "osm");
        world.pass(Duration.ofSeconds(7));
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(3));
        assertThat(status("x")).contains("PeerControllerActive").contains("operating-system-manager-1");
        assertThat(bootstrap(worker, "later")).isNull();
    }

    /** OSM's Lease lasts 15 s; the link finds out later that nothing renews it. */
    @Test
    void theHubServesAsSoonAsTheLeaseOfAStoppedOsmHasEnded() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        String lease = "operating-system-manager";
        worker.put(
                Resource.LEASES,
                "{\"metadata\":{\"namespace\":\"kube-system\",\"name\":\"operating-system-manager\"},\"spec\":{\"holderIdentity\":\"operating-system-manager-1\",\"leaseDurationSeconds\":15,\"renewTime\":\"2030-01-01T00:00:00.000000Z\"}}",
                "osm");
        world.connections.peerLease = lease;
        world.connections.problems.add(Reason.PeerControllerActive.with(Map.of(
                "tenant", "cluster-x", "wc", "cluster-x", "lease", "kube-system/" + lease, "holder", lease + "-1")));
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(bootstrap(worker, "workers")).isNull();

        world.pass(Duration.ofSeconds(15));

        assertThat(holder(worker)).startsWith("osm-hub_");
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    /** Taking one Lease stops no OSM that holds the other. */
    @Test
    void theHubDoesNotServeWhileAnOsmHoldsAnotherLeaseThanTheAdoptedOne() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        String lease = "operating-system-manager-worker-manager";
        world.connections.peerLease = lease;
        world.connections.problems.add(Reason.PeerControllerActive.with(
                Map.of("tenant", "cluster-x", "wc", "cluster-x", "lease", "kube-system/" + lease, "holder", "osm-1")));
        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(status("x")).contains("PeerControllerActive").contains(lease);
        assertThat(bootstrap(worker, "workers")).isNull();
    }

    @Test
    void theLeaseIsHeldWhileTheMachineDeploymentsOfADeletedClusterAreReleased() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(holder(worker)).isNotEmpty();

        deletedCluster("x");
        world.pass(Duration.ofSeconds(60));
        assertThat(state("x")).isEqualTo("Paused");
        delete(worker, "workers");
        world.pass(Duration.ofSeconds(30));

        assertThat(worker.all(Resource.MACHINE_DEPLOYMENTS)).isEmpty();
    }

    private static String holder(SimulatedServer worker) {
        JsonNode lease = worker.object(Resource.LEASES, "kube-system", "operating-system-manager");
        return lease == null ? "" : lease.at("/spec/holderIdentity").asText();
    }

    @Test
    void aReplacedKubeconfigIsUsed() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(10));

        world.register("cluster-x", OSM, null, "x.example.org", "another-token");
        world.pass(Duration.ofSeconds(30));
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(10));

        assertThat(world.connections.opened).singleElement().satisfies(link -> assertThat(link.kubeconfig.credential())
                .isInstanceOfSatisfying(
                        WorkerCredential.Token.class,
                        token -> assertThat(token.token().reveal()).isEqualTo("another-token")));
        assertThat(bootstrap(worker, "later")).isNotNull();
    }

    @Test
    void aClusterThatIsBeingDeletedIsNotRegistered() {
        seed("");
        deletedCluster("x");
        controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("cluster-x", "cluster-x")).isNull();
    }

    // Profiles of the user cluster

    @Test
    void profilesOfTheUserClusterTakePrecedenceOverSharedOnesAndAreFollowed() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        FleetWorld.profile(worker, "kube-system", "osp-ubuntu", "v1.0.0", "of the user cluster");
        world.start();
        world.pass(Duration.ofSeconds(10));
        assertThat(provision(worker)).contains("of the user cluster");

        FleetWorld.profile(worker, "kube-system", "osp-ubuntu", "v1.0.1", "of its next version");
        world.pass(Duration.ofSeconds(10));
        assertThat(provision(worker)).contains("of its next version");

        worker.remove(Resource.OPERATING_SYSTEM_PROFILES, "kube-system", "osp-ubuntu");
        world.pass(Duration.ofSeconds(10));
        assertThat(provision(worker)).isNotEmpty().doesNotContain("of its next version");
    }

    @Test
    void aProfileOfTheTenantsNamespaceTakesPrecedenceOverTheUserClusters() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        FleetWorld.profile(worker, "kube-system", "osp-ubuntu", "v1.0.0", "of the user cluster");
        world.profile("cluster-x", "osp-ubuntu", "v1.0.0", "of the tenant");
        world.start();
        world.pass(Duration.ofSeconds(10));

        assertThat(provision(worker)).contains("of the tenant");
    }

    @Test
    void aUserClusterThatDoesNotServeProfilesGetsSharedOnes() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        worker.withdraw(Resource.OPERATING_SYSTEM_PROFILES, true);
        world.start();
        world.pass(Duration.ofSeconds(10));

        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    @Test
    void withoutKkpProfilesOfTheWorkerClusterAreNotRead() {
        SimulatedServer worker = world.tenant("t1");
        FleetWorld.profile(worker, "kube-system", "osp-ubuntu", "v1.0.0", "of the worker cluster");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(10));

        assertThat(provision(worker)).isNotEmpty().doesNotContain("of the worker cluster");
        assertThat(worker.requests()).noneMatch(request -> request.resource() == Resource.OPERATING_SYSTEM_PROFILES);
    }

    /** A shared profile of the same name would replace what OSM published. */
    @Test
    void nothingIsRenderedWhileTheProfilesOfTheUserClusterCannotBeRead() {
        seed("");
        cluster("x", "");
        SimulatedServer worker = controlPlane("x");
        worker.forbid(request -> request.resource() == Resource.OPERATING_SYSTEM_PROFILES);
        world.start();
        world.pass(Duration.ofSeconds(30));
        assertThat(bootstrap(worker, "workers")).isNull();
        assertThat(status("x"))
                .contains("profiles in kube-system of the worker cluster cannot be read")
                .contains("list and watch on operatingsystemprofiles");

        worker.forbid(request -> false);
        world.pass(Duration.ofMinutes(15));
        assertThat(bootstrap(worker, "workers")).isNotNull();
    }

    /** Without those of OSM's Lease. */
    private static long writes(SimulatedServer worker) {
        return worker.requests().stream()
                .filter(request -> request.verb().writes() && request.resource() != Resource.LEASES)
                .count();
    }

    private static String finalizers(SimulatedServer worker, String name) {
        return String.valueOf(Objects.requireNonNull(worker.object(Resource.MACHINE_DEPLOYMENTS, "kube-system", name))
                .at("/metadata/finalizers"));
    }

    private static void delete(SimulatedServer worker, String name) {
        try {
            worker.send(ApiRequest.delete(Resource.MACHINE_DEPLOYMENTS, "kube-system", name, "", null));
        } catch (ApiFailure e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClusterOfAnotherManagerIsIgnored() {
        seed("");
        cluster("x", ", 'labels': {'worker-name': 'dev'}", "");
        SimulatedServer worker = controlPlane("x");
        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("cluster-x", "cluster-x")).isNull();
        assertThat(worker.requests()).isEmpty();

        cluster("x", "");
        world.pass(Duration.ofSeconds(10));
        assertThat(state("x")).isEqualTo("Synced");
        worker.forgetRequests();
        cluster("x", ", 'labels': {'worker-name': 'dev'}", "");
        machineDeployment(worker, "later");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.hub().tenants()).isEmpty();
        assertThat(writes(worker)).isZero();
        assertThat(world.workerCluster("cluster-x", "cluster-x")).isNotNull();
    }
}
