package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.UnreadableContent;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hub that may access Secrets and ConfigMaps of the management cluster only in some namespaces. */
class TenantAccessTest {
    private final FleetWorld world = new FleetWorld();
    /** The hub's role permits its own Secrets there. */
    private static final String HUB_NAMESPACE = "osm-hub";

    /** Where the authorizer grants access, with or without a RoleBinding that the hub knows. */
    private final Set<String> granted = new HashSet<>();

    private boolean clusterWide;

    @BeforeEach
    void grantOnlyInNamespaces() {
        world.management.forbid(request -> !clusterWide
                && (request.resource() == Resource.SECRETS || request.resource() == Resource.CONFIG_MAPS)
                && !granted.contains(request.namespace())
                && !request.namespace().equals(HUB_NAMESPACE));
    }

    private void bind(String namespace) {
        putRoleBinding(namespace, "");
    }

    private void putRoleBinding(String namespace, String spoilt) {
        granted.add(namespace);
        world.management.put(Resource.ROLE_BINDINGS, """
                        {"metadata":{"namespace":"%1$s","name":"%2$s"},"roleRef":{"kind":"ClusterRole","name":"%2$s"}%3$s}
                        """.formatted(namespace, TenantAccess.ROLE, spoilt), "kubectl");
    }

    private void unbind(String namespace) {
        granted.remove(namespace);
        world.management.remove(Resource.ROLE_BINDINGS, namespace, TenantAccess.ROLE);
    }

    private void workerCluster(String namespace, String secret) {
        world.management.put(
                Resource.WORKER_CLUSTERS,
                "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"prod\"},\"spec\":{\"kubeconfigSecretRef\":{\"name\":\"%s\"}}}"
                        .formatted(namespace, secret),
                "kubectl");
    }

    private long secretRequests() {
        return world.management.requests().stream()
                .filter(request -> request.resource() == Resource.SECRETS
                        && !request.namespace().equals(HUB_NAMESPACE))
                .count();
    }

    @Test
    void anEmptyClusterIsReadyWithoutAnyForbiddenRequest() {
        Hub hub = world.start();
        world.pass(Duration.ofMinutes(20));

        assertThat(hub.isReady()).isTrue();
        assertThat(hub.missingLists()).isEmpty();
        assertThat(hub.managementProblem()).isEmpty();
        assertThat(hub.inaccessibleTenants()).isEmpty();
        assertThat(world.management.refusals()).isZero();
        assertThat(secretRequests()).isZero();
    }

    @Test
    void aLabelledSecretInABoundNamespaceRegistersItsTenant() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        bind("t1");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(hub.inaccessibleTenants()).isEmpty();
        assertThat(world.management.refusals()).isZero();
        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() == Resource.SECRETS && request.verb() == Verb.LIST)
                .hasSize(1)
                .allMatch(request -> request.namespace().equals("t1"));
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void aRoleBindingThatCannotBeReadIsNamedAndWhatItGrantsIsServed(UnreadableContent content) {
        world.managementApi = content::in;
        SimulatedServer first = world.tenant("t1");
        SimulatedServer second = world.tenant("t2");
        bind("t2");
        bindUnreadably("t1");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));
        bindUnreadably("t2");
        world.pass(Duration.ofSeconds(5));
        machineDeployment(first, "workers");
        machineDeployment(second, "workers");
        world.pass(Duration.ofSeconds(5));

        assertThat(hub.isReady()).isTrue();
        assertThat(hub.managementProblem()).isEmpty();
        assertThat(hub.inaccessibleTenants()).isEmpty();
        assertThat(bootstrap(first, "workers")).isNotNull();
        assertThat(bootstrap(second, "workers")).isNotNull();
        for (String namespace : List.of("t1", "t2")) {
            assertThat(Objects.requireNonNull(world.workerCluster(namespace, "prod"))
                            .at("/status/problems")
                            .toString())
                    .contains(
                            "ObjectUnreadable", "RoleBinding " + namespace + "/" + TenantAccess.ROLE, content.cause());
        }
    }

    private void bindUnreadably(String namespace) {
        putRoleBinding(namespace, ",\"spoilt\":\"%s\"".formatted(UnreadableContent.PLACE));
    }

    @Test
    void aNamespaceWithoutItsRoleBindingIsReportedAndServedWithinSecondsOnceItExists() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        workerCluster("t1", "admin");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.reason("t1", "prod", "CredentialsValid"))
                .isEqualTo(Reason.TenantPermissionsMissing.wireName());
        assertThat(world.state("t1", "prod")).isEqualTo("Unauthorized");
        assertThat(String.valueOf(world.workerCluster("t1", "prod")))
                .contains("t1: management cluster: system:serviceaccount:osm-hub:osm-hub may not list secrets in"
                        + " namespace t1 (and 7 more): RoleBinding osm-hub-tenant is missing; grant it: kubectl create"
                        + " rolebinding osm-hub-tenant -n t1 --clusterrole=osm-hub-tenant"
                        + " --serviceaccount=osm-hub:osm-hub");
        assertThat(world.events()).contains("TenantPermissionsMissing");
        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("t1");
        assertThat(hub.isReady()).isTrue();
        assertThat(hub.managementProblem()).isEmpty();

        bind("t1");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(hub.inaccessibleTenants()).isEmpty();
        assertThat(world.management.refusals()).isZero();
    }

    @Test
    void aMarkedNamespaceIsReportedBeforeItHasAWorkerCluster() {
        FleetWorld.namespace(world.management, "t1", Map.of("osmhub.io/tenant", ""));
        FleetWorld.namespace(world.management, "other", Map.of());
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("t1");

        world.management.remove(Resource.NAMESPACES, "", "t1");
        world.pass(Duration.ofSeconds(5));
        assertThat(hub.inaccessibleTenants()).isEmpty();
    }

    @Test
    void aTenantGoesOnWhenItsRoleBindingIsDeletedAndRotatesWhenItIsBack() {
        SimulatedServer worker = world.tenant("t1");
        bind("t1");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));

        unbind("t1");
        world.pass(Duration.ofSeconds(10));
        machineDeployment(worker, "later");
        world.register("t1", "admin", "prod", "t1.example.org", "token-2");
        world.pass(Duration.ofHours(1));

        assertThat(world.reason("t1", "prod", "CredentialsValid"))
                .isEqualTo(Reason.TenantPermissionsMissing.wireName());
        assertThat(world.state("t1", "prod")).isEqualTo("Degraded");
        assertThat(bootstrap(worker, "later")).isNotNull();
        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("t1");
        String before = world.connections.opened.getFirst().kubeconfig.contentHash();
        assertThat(world.management.refusals()).isZero();

        bind("t1");
        world.pass(Duration.ofSeconds(10));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(world.connections.opened.getFirst().kubeconfig.contentHash()).isNotEqualTo(before);
    }

    /** The authorizer learns of a RoleBinding, and of its deletion, a moment after the watch. */
    @Test
    void anAuthorizerThatLagsBehindIsReviewedAgain() {
        world.tenant("t1");
        workerCluster("t1", "admin");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(1));

        bind("t1");
        granted.remove("t1");
        world.pass(Duration.ofSeconds(1));
        granted.add("t1");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        unbind("t1");
        granted.add("t1");
        world.pass(Duration.ofMillis(500));
        granted.remove("t1");
        world.pass(Duration.ofSeconds(5));
        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("t1");
    }

    @Test
    void oneForbiddenNamespaceDoesNotAffectOthers() {
        SimulatedServer good = world.tenant("good");
        world.tenant("bad");
        bind("good");
        bind("bad");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.state("bad", "prod")).isEqualTo("Synced");

        // Its RoleBinding stays, but grants nothing anymore, as after a change of the ClusterRole.
        granted.remove("bad");
        world.management.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "restarted"));
        world.pass(Duration.ofSeconds(20));
        machineDeployment(good, "later");
        world.pass(Duration.ofSeconds(10));

        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("bad");
        assertThat(hub.inaccessibleTenants().values().iterator().next().message())
                .contains("RoleBinding osm-hub-tenant does not grant it")
                .contains("kubectl delete rolebinding osm-hub-tenant -n bad && kubectl create rolebinding");
        assertThat(world.state("good", "prod")).isEqualTo("Synced");
        assertThat(bootstrap(good, "later")).isNotNull();
        assertThat(hub.managementProblem()).isEmpty();

        granted.add("bad");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.state("bad", "prod")).isEqualTo("Synced");
    }

    @Test
    void manyNamespacesWithoutPermissionCauseNoRetryStorm() {
        int many = 200;
        for (int i = 0; i < many; i++) {
            FleetWorld.namespace(world.management, "t" + i, Map.of("osmhub.io/tenant", ""));
        }
        world.start();
        world.pass(Duration.ofMinutes(1));
        world.management.forgetRequests();

        world.pass(Duration.ofMinutes(10));

        // One rules review and eight access reviews in 30 to 60 s each, because this authorizer lists no rules.
        assertThat(world.management.count(Verb.CREATE)).isLessThan(21L * 9 * many);
        assertThat(secretRequests()).isZero();
    }

    @Test
    void accessThatIsGrantedByAnotherBindingIsUsed() {
        world.tenant("t1");
        workerCluster("t1", "admin");
        granted.add("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void aDeletedWorkerClusterWaitsForThePermissionToBeCleanedUp() {
        FleetWorld.namespace(world.management, "t1", Map.of());
        SimulatedServer worker = world.worker("t1.example.org");
        world.register("t1", "admin", null, "t1.example.org", "token-1");
        workerCluster("t1", "admin");
        machineDeployment(worker, "workers");
        bind("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(bootstrap(worker, "workers")).isNotNull();
        world.kill();
        unbind("t1");
        world.delete(Resource.WORKER_CLUSTERS, "t1", "prod");
        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(world.workerCluster("t1", "prod")).isNotNull();
        assertThat(bootstrap(worker, "workers")).isNotNull();

        bind("t1");
        world.pass(Duration.ofSeconds(10));
        assertThat(bootstrap(worker, "workers")).isNull();
        assertThat(world.workerCluster("t1", "prod")).isNull();
    }

    @Test
    void aClusterWideGrantIsDetectedAndItsWithdrawalToo() {
        world.tenant("t1");
        Hub hub = world.start();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.workerCluster("t1", "prod")).isNull();

        clusterWide = true;
        world.pass(Duration.ofMinutes(6));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");

        clusterWide = false;
        world.pass(Duration.ofMinutes(70));
        assertThat(hub.inaccessibleTenants()).containsOnlyKeys("t1");
        assertThat(world.state("t1", "prod")).isEqualTo("Degraded");
        assertThat(hub.managementProblem()).isEmpty();

        bind("t1");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
    }

    @Test
    void aReplicaReadsOnlyTheSecretsOfItsOwnTenants() {
        world.tenant("mine");
        world.tenant("other");
        bind("mine");
        bind("other");
        world.served = namespace -> !namespace.equals("other");
        world.start();
        world.pass(Duration.ofSeconds(5));

        assertThat(world.management.requests())
                .filteredOn(request -> request.resource() == Resource.SECRETS)
                .extracting(ApiRequest::namespace)
                .isNotEmpty()
                .doesNotContain("other");
    }

    /** The loss of the permission is not the deletion of the Secret. */
    @Test
    void aTenantIsNeverRemovedForAMissingPermission() {
        world.settings = HubTest.removing(Duration.ofMinutes(5), SecretDiscovery.LABELLED_ONLY);
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        bind("t1");
        world.start();
        world.pass(Duration.ofSeconds(5));

        unbind("t1");
        world.pass(Duration.ofHours(2));
        world.kill();
        world.start();
        world.pass(Duration.ofHours(2));

        assertThat(world.workerCluster("t1", "prod")).isNotNull();
        assertThat(bootstrap(worker, "workers")).isNotNull();
        assertThat(world.management.refusals()).isZero();
    }
}
