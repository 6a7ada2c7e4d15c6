package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.fake.UnreadableContent;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An object that the hub cannot read affects no other tenant, is named, and is neither deleted nor overwritten. */
class UnreadableObjectTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String REASON = "ObjectUnreadable";

    private final FleetWorld world = new FleetWorld();

    private void content(UnreadableContent content) {
        world.managementApi = content::in;
        world.connections.workerApi = content::in;
    }

    /** Adds a field that makes the stored object unreadable, or removes it. */
    private static void poison(SimulatedServer server, Resource resource, String namespace, String name, boolean now) {
        ObjectNode object = Objects.requireNonNull(server.object(resource, namespace, name), name)
                .deepCopy();
        object.remove("spoilt");
        if (now) {
            object.put("spoilt", UnreadableContent.PLACE);
        }
        ((ObjectNode) object.path("metadata")).remove("resourceVersion");
        server.put(resource, object.toString(), "kubectl");
    }

    private void restart() {
        world.kill();
        world.start();
        world.pass(SOON);
    }

    private String problems(String namespace) {
        JsonNode cluster = world.workerCluster(namespace, "prod");
        return cluster == null ? "" : cluster.at("/status/problems").toString();
    }

    private String event(String reason) {
        return Stream.concat(
                        world.management.all(Resource.EVENTS).stream(),
                        world.connections.servers.values().stream()
                                .flatMap(server -> server.all(Resource.EVENTS).stream()))
                .filter(event -> event.path("reason").asText().equals(reason))
                .map(JsonNode::toString)
                .reduce("", String::concat);
    }

    private void assertOthersAreServed(String machineDeployment) {
        SimulatedServer other = Objects.requireNonNull(world.connections.servers.get("t2.example.org"));
        machineDeployment(other, machineDeployment);
        world.pass(SOON);
        assertThat(bootstrap(other, machineDeployment)).isNotNull();
        assertThat(world.state("t2", "prod")).isEqualTo("Synced");
        assertThat(world.hub().managementProblem()).isEmpty();
    }

    private static Stream<Arguments> profiles() {
        return Stream.of(UnreadableContent.values())
                .flatMap(content -> Stream.of(true, false).map(before -> Arguments.of(content, before)));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aProfileOfOneTenantAffectsNoOther(UnreadableContent content, boolean beforeStart) {
        content(content);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.tenant("t2");
        world.profile("t1", "osp-bad", "v1.0.0", "own");
        if (beforeStart) {
            poison(world.management, Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-bad", true);
        }
        world.start();
        world.pass(SOON);
        if (!beforeStart) {
            poison(world.management, Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-bad", true);
            world.pass(SOON);
        }

        assertThat(world.hub().isReady()).isTrue();
        assertOthersAreServed("later");
        machineDeployment(worker, "later");
        world.pass(SOON);
        assertThat(bootstrap(worker, "later"))
                .as("of the same tenant with another profile")
                .isNotNull();
        assertThat(problems("t1")).contains(REASON, "OperatingSystemProfile t1/osp-bad", content.cause());
        assertThat(problems("t2")).doesNotContain(REASON);
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo(REASON);
        assertThat(event(REASON)).contains("osp-bad");
        assertThat(Objects.requireNonNull(world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-bad"))
                        .at("/status/conditions")
                        .toString())
                .contains(REASON, content.cause());

        long writes = world.management.writes();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.management.writes() - writes)
                .as("writes while nothing changes")
                .isLessThan(10);
        poison(world.management, Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-bad", false);
        world.pass(SOON);
        assertThat(problems("t1")).doesNotContain(REASON);
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void whatIsPublishedFromAProfileThatBecomesUnreadableStays() {
        content(UnreadableContent.VALUES);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.profile("t1", "osp-ubuntu", "v1.0.0", "own");
        world.start();
        world.pass(SOON);
        String published = bootstrap(worker, "workers");
        assertThat(published).isNotNull();

        poison(world.management, Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-ubuntu", true);
        world.pass(Duration.ofMinutes(5));
        assertThat(bootstrap(worker, "workers"))
                .as("not the shared profile of the same name")
                .isEqualTo(published);
        restart();
        world.pass(Duration.ofMinutes(5));

        assertThat(bootstrap(worker, "workers")).isEqualTo(published);
        assertThat(problems("t1")).contains("MachineDeployment", REASON, "t1/osp-ubuntu");
        poison(world.management, Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-ubuntu", false);
        world.pass(SOON);
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    private static Stream<Arguments> objects() {
        return Stream.of(
                Arguments.of(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers"),
                Arguments.of(Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-bootstrap-config"),
                Arguments.of(Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-provisioning-config"),
                Arguments.of(Resource.SECRETS, SyncWorld.SETTINGS, "cloud-init-getter-token"),
                Arguments.of(Resource.CONFIG_MAPS, "kube-public", "cluster-info"));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void anObjectOfAWorkerClusterIsNeitherDeletedNorOverwritten(Resource resource, String namespace, String name) {
        content(UnreadableContent.VALUES);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        machineDeployment(worker, "others");
        world.tenant("t2");
        world.start();
        world.pass(SOON);
        String published = bootstrap(worker, "workers");

        poison(worker, resource, namespace, name, true);
        String poisoned = text(worker, resource, namespace, name);
        world.pass(Duration.ofMinutes(10));
        assertThat(problems("t1")).contains(REASON, resource.kind() + " " + namespace + "/" + name);
        restart();
        world.pass(Duration.ofHours(1));

        assertThat(bootstrap(worker, "workers")).isEqualTo(published);
        assertThat(bootstrap(worker, "others")).isNotNull();
        assertThat(text(worker, resource, namespace, name)).as("unchanged").isEqualTo(poisoned);
        assertThat(problems("t1")).contains(REASON, resource.kind() + " " + namespace + "/" + name);
        assertOthersAreServed("later");
        poison(worker, resource, namespace, name, false);
        world.pass(Duration.ofMinutes(1));
        assertThat(problems("t1")).doesNotContain(REASON);
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    private static String text(SimulatedServer server, Resource resource, String namespace, String name) {
        ObjectNode object =
                Objects.requireNonNull(server.object(resource, namespace, name)).deepCopy();
        object.remove("metadata");
        return object.toString();
    }

    @Test
    void aMachineDeploymentThatCannotBeReadIsCleanedUpWhenItIsDeleted() {
        content(UnreadableContent.VALUES);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(SOON);
        poison(worker, Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers", true);
        restart();

        worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
        world.pass(Duration.ofMinutes(1));

        assertThat(worker.object(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers"))
                .isNull();
        assertThat(bootstrap(worker, "workers")).isNull();
        assertThat(problems("t1")).doesNotContain(REASON);
    }

    @Test
    void anOperatingSystemConfigIsNotOverwritten() {
        content(UnreadableContent.DEPTH);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.start();
        world.pass(SOON);
        String published = bootstrap(worker, "workers");
        String config = "workers-kube-system-config";

        poison(world.management, Resource.OPERATING_SYSTEM_CONFIGS, "t1", config, true);
        world.profile("osm-profiles", "osp-ubuntu", "v1.0.1", "newer");
        restart();
        world.pass(Duration.ofMinutes(10));

        assertThat(bootstrap(worker, "workers")).isEqualTo(published);
        assertThat(text(world.management, Resource.OPERATING_SYSTEM_CONFIGS, "t1", config))
                .contains(UnreadableContent.PLACE);
        assertThat(problems("t1")).contains(REASON, "OperatingSystemConfig t1/" + config);
        poison(world.management, Resource.OPERATING_SYSTEM_CONFIGS, "t1", config, false);
        world.pass(Duration.ofMinutes(1));
        assertThat(bootstrap(worker, "workers")).isNotEqualTo(published);
        assertThat(problems("t1")).doesNotContain(REASON);
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void aWorkerClusterKeepsItsContent(UnreadableContent content) {
        content(content);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.tenant("t2");
        world.start();
        world.pass(SOON);
        String published = bootstrap(worker, "workers");

        poison(world.management, Resource.WORKER_CLUSTERS, "t1", "prod", true);
        world.pass(SOON);
        machineDeployment(worker, "later");
        world.pass(SOON);
        assertThat(bootstrap(worker, "later"))
                .as("continues with what was read")
                .isNotNull();
        assertThat(problems("t1")).contains(REASON, "WorkerCluster t1/prod");
        restart();
        world.pass(Duration.ofHours(1));

        assertThat(bootstrap(worker, "workers")).isEqualTo(published);
        assertThat(world.reason("t1", "prod", "Synced")).isEqualTo(REASON);
        assertThat(Objects.requireNonNull(world.workerCluster("t1", "prod"))
                        .at("/status/clusterID")
                        .asText())
                .isNotEmpty();
        assertOthersAreServed("later");
        poison(world.management, Resource.WORKER_CLUSTERS, "t1", "prod", false);
        machineDeployment(worker, "last");
        world.pass(SOON);
        assertThat(bootstrap(worker, "last")).isNotNull();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void aTenantWhoseKubeconfigSecretCannotBeReadIsNotRemoved(UnreadableContent content) {
        world.settings = HubTest.removing(Duration.ofMinutes(5), SecretDiscovery.LABELLED_ONLY);
        content(content);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.tenant("t2");
        world.start();
        world.pass(SOON);

        poison(world.management, Resource.SECRETS, "t1", "admin", true);
        world.pass(Duration.ofHours(1));
        machineDeployment(worker, "later");
        world.pass(SOON);
        assertThat(bootstrap(worker, "later"))
                .as("continues with what was read")
                .isNotNull();
        assertThat(problems("t1")).contains(REASON, "Secret t1/admin");
        restart();
        world.pass(Duration.ofHours(1));

        assertThat(world.workerCluster("t1", "prod")).isNotNull();
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(problems("t1")).contains(REASON, "Secret t1/admin");
        assertOthersAreServed("later");
        poison(world.management, Resource.SECRETS, "t1", "admin", false);
        machineDeployment(worker, "last");
        world.pass(SOON);
        assertThat(bootstrap(worker, "last")).isNotNull();
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    private static Stream<Arguments> managementKinds() {
        return Stream.of(
                        Resource.NAMESPACES,
                        Resource.OPERATING_SYSTEM_PROFILES,
                        Resource.OPERATING_SYSTEM_CONFIGS,
                        Resource.WORKER_CLUSTERS,
                        Resource.KKP_CLUSTERS,
                        Resource.KKP_SEEDS,
                        Resource.KKP_CONFIGURATIONS)
                .flatMap(kind -> Stream.of(UnreadableContent.values()).map(content -> Arguments.of(kind, content)));
    }

    @ParameterizedTest
    @MethodSource("managementKinds")
    void noObjectOfTheManagementClusterPreventsReadingItsKind(Resource kind, UnreadableContent content) {
        world.settings = HubTest.removing(Duration.ofMinutes(5), new SecretDiscovery("kkp", false));
        content(content);
        world.tenant("t2");
        boolean clusterScoped = kind == Resource.NAMESPACES || kind == Resource.KKP_CLUSTERS;
        String namespace = clusterScoped ? "" : kind.group().equals("kubermatic.k8c.io") ? "kubermatic" : "t3";
        for (String name : new String[] {"before", "while"}) {
            if (name.equals("while")) {
                world.start();
                world.pass(SOON);
                assertOthersAreServed("earlier");
            }
            ObjectNode object = SimulatedServer.JSON.createObjectNode();
            object.putObject("metadata").put("namespace", namespace).put("name", name);
            // The API server completes the spec of a namespace.
            object.put(kind == Resource.NAMESPACES ? "spoilt" : "spec", UnreadableContent.PLACE);
            if (clusterScoped) {
                ((ObjectNode) object.path("metadata")).remove("namespace");
            }
            world.management.put(kind, object.toString(), "kubectl");
            world.pass(SOON);
        }

        assertThat(world.hub().isReady()).isTrue();
        assertOthersAreServed("later");
        String prefix = namespace.isEmpty() ? "" : namespace + "/";
        assertThat(world.hub().definitionProblems())
                .filteredOn(problem -> problem.reason().wireName().equals(REASON))
                .extracting(problem -> problem.definition())
                .contains(kind.kind() + " " + prefix + "before", kind.kind() + " " + prefix + "while");
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void aDefinitionThatCannotBeReadStopsNothing(UnreadableContent content) {
        content(content);
        world.tenant("t2");
        world.start();
        world.pass(SOON);
        String name = "workerclusters.osmhub.io";

        poison(world.management, Resource.CUSTOM_RESOURCE_DEFINITIONS, "", name, true);
        world.pass(SOON);
        assertOthersAreServed("while");
        assertDefinitionIsNamed(name);
        restart();

        assertThat(world.hub().isReady()).isTrue();
        assertOthersAreServed("later");
        assertDefinitionIsNamed(name);
    }

    private void assertDefinitionIsNamed(String name) {
        assertThat(world.hub().definitionProblems())
                .filteredOn(problem -> problem.reason().wireName().equals(REASON))
                .extracting(problem -> problem.definition())
                .contains("CustomResourceDefinition " + name);
    }

    private static Stream<Arguments> wrongShapes() {
        return Stream.of(
                        "'spec':'x'",
                        "'spec':[1]",
                        "'spec':{'cloud':'x'},'status':{'namespaceName':'cluster-bad'}",
                        "'spec':{'cloud':[],'version':{},'clusterNetwork':7},'status':{'namespaceName':'cluster-bad'}",
                        "'spec':{'datacenters':'x'}",
                        "'spec':{'datacenters':{'e':[]},'proxySettings':[]}",
                        "'status':[]")
                .flatMap(shape ->
                        Stream.of(Resource.KKP_CLUSTERS, Resource.KKP_SEEDS).map(kind -> Arguments.of(kind, shape)));
    }

    @ParameterizedTest
    @MethodSource("wrongShapes")
    void anObjectOfKkpWithWrongTypesAffectsNoOtherCluster(Resource kind, String shape) {
        world.settings = HubTest.removing(Duration.ofMinutes(5), new SecretDiscovery("kkp", false));
        put(Resource.KKP_SEEDS, "'namespace':'kubermatic','name':'s'", "'spec':{'datacenters':{'d':{}}}");
        put(
                Resource.KKP_CLUSTERS,
                "'name':'good'",
                "'spec':{'cloud':{'dc':'d','aws':{}},'clusterNetwork':{'services':{'cidrBlocks':['10.0.0.0/16']}}},"
                        + "'status':{'namespaceName':'cluster-good'}");
        FleetWorld.namespace(world.management, "cluster-good", Map.of());
        SimulatedServer worker = world.worker("good.example.org");
        machineDeployment(worker, "workers");
        world.register("cluster-good", "kkp", null, "good.example.org", "token");
        put(kind, (kind == Resource.KKP_SEEDS ? "'namespace':'kubermatic'," : "") + "'name':'bad'", shape);

        world.start();
        world.pass(SOON);

        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(world.state("cluster-good", "cluster-good")).isEqualTo("Synced");
    }

    private void put(Resource kind, String metadata, String content) {
        world.management.put(kind, ("{'metadata':{" + metadata + "}," + content + "}").replace('\'', '"'), "kkp");
    }
}
