package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others do to the clusters below a hub that serves a tenant, and what is left of the tenant's secrets. */
@Tag(RealClusters.ONE_VERSION)
final class DisruptionE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withSeparateStores(2);

    /** Longer than a Lease lasts, and than the hub waits for a response. */
    private static final Duration OUTAGE = Duration.ofSeconds(40);

    /** More JSON values than the hub reads of one object. */
    private static final int UNREADABLE_VALUES = 110_000;

    private static Path kubeconfig;

    @SuppressWarnings("NullAway.Init") // set by startHub
    private static InstalledHub hub;

    private static RealTenant tenant;
    private static int count;

    @BeforeAll
    static void start() {
        kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        publishAuthority();
        tenant.storeProfile(ExampleObjects.profile());
        tenant.register();
        startHub();
    }

    private static void startHub() {
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static void publishAuthority() {
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
    }

    /** A new MachineDeployment gets its secrets. */
    private static MachineDeploymentObjectNames publish() {
        MachineDeploymentObjectNames names = new MachineDeploymentObjectNames("kube-system", "workers-" + ++count);
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.awaitPresent("published", () -> tenant.secret(names.bootstrap()));
        return names;
    }

    /** Stored without the hub's webhook, in a field that keeps what the definition does not know. */
    @Test
    void aProfileThatCannotBeReadIsNamedAndEveryOtherTenantIsServed() {
        tenant.awaitSynced();
        RealTenant other = RealTenant.prepare("cluster-blue", CLUSTERS.management(), CLUSTERS.worker(2));
        other.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", other.worker()));
        other.storeProfile(ExampleObjects.profile());
        other.register();
        other.awaitSynced();
        ObjectNode profile = ExampleObjects.profile();
        ((ObjectNode) profile.path("metadata")).put("name", "osp-unreadable");
        ArrayNode values = ((ObjectNode) profile.at("/spec/supportedCloudProviders/0"))
                .putObject("spec")
                .putArray("x");
        for (int i = 0; i < UNREADABLE_VALUES; i++) {
            values.add(1);
        }

        tenant.storeProfile(profile);
        assertUnreadableProfileIsNamed();
        publishIn(other, "while-running");
        publish();
        hub.terminate();
        startHub();
        publishIn(other, "after-the-start");
        publish();
        assertUnreadableProfileIsNamed();

        tenant.management().admin().delete(ApiResource.OSPS.in("cluster-amber", "osp-unreadable"));
        tenant.awaitSynced();
        assertThat(tenant.workerCluster().orElseThrow().path("status").toString())
                .doesNotContain("ObjectUnreadable");
    }

    private static void assertUnreadableProfileIsNamed() {
        Await.until("the profile is reported", () -> tenant.reason("Synced").equals("ObjectUnreadable"));
        assertThat(tenant.workerCluster().orElseThrow().at("/status/problems").toString())
                .contains("OperatingSystemProfile cluster-amber/osp-unreadable", "more than 100000 JSON values");
    }

    private static void publishIn(RealTenant other, String name) {
        other.worker().admin().create(ExampleObjects.machineDeployment(name));
        Await.awaitPresent(
                "published in another tenant",
                () -> other.secret(new MachineDeploymentObjectNames("kube-system", name).bootstrap()));
    }

    /**
     * As {@code kubectl delete -f crds/} does it. The tenant's own profile is lost; it is stored again. The definition of extensions may
     * stay absent, because without its objects they would be removed from what is published.
     */
    @Test
    void deletedDefinitionsAreInstalledAgainAndMachinesGoOnStarting() {
        RealCluster management = tenant.management();
        tenant.awaitSynced();
        MachineDeploymentObjectNames names = publish();
        Await.awaitPresent("stored", () -> tenant.osc(names.osc()));
        String published = uid(tenant.secret(names.bootstrap()).orElseThrow());
        String registered = uid(tenant.workerCluster().orElseThrow());
        var definitions = management.admin().typed().apiextensions().v1().customResourceDefinitions();
        List<CustomResourceDefinition> before = definitions.list().getItems();
        assertThat(before).hasSize(ShippedDefinition.values().length);
        long mark = tenant.worker().audit().position();

        // Not as a collection, with which the API server would leave the objects.
        before.forEach(definition ->
                definitions.withName(definition.getMetadata().getName()).delete());
        for (CustomResourceDefinition deleted : before) {
            String name = deleted.getMetadata().getName();
            if (name.equals(ShippedDefinition.PROFILE_EXTENSIONS.definitionName())) {
                continue;
            }
            Await.until(name + " is installed again", () -> Optional.ofNullable(
                            definitions.withName(name).get())
                    .filter(now -> !now.getMetadata()
                            .getUid()
                            .equals(deleted.getMetadata().getUid()))
                    .isPresent());
            RealClusters.awaitServed(management, name);
        }
        tenant.storeProfile(ExampleObjects.profile());
        Await.until("the tenant is registered again", () -> tenant.workerCluster()
                .map(now -> !uid(now).equals(registered))
                .orElse(false));
        tenant.awaitSynced();
        Await.awaitPresent("stored again", () -> tenant.osc(names.osc()));
        Await.awaitPresent(
                "the default profiles are installed again",
                () -> management.admin().find(ApiResource.OSPS.in("osm-profiles", "osp-ubuntu")));
        publish();

        assertThat(uid(tenant.secret(names.bootstrap()).orElseThrow())).isEqualTo(published);
        assertThat(tenant.worker().audit().since(mark, RealTenant.HUB_IN_WORKER).stream()
                        .filter(entry -> entry.verb().equals("delete"))
                        .map(AuditLog.Entry::toString))
                .isEmpty();
    }

    @Test
    void aWorkerClusterWithAnotherAuthorityIsServedWithTheKubeconfigThatNamesIt() {
        tenant.awaitSynced();
        MachineDeploymentObjectNames names = publish();
        tenant.worker().resumeWithNewAuthority();
        publishAuthority();
        String authority = tenant.worker()
                .certificateAuthority()
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow();
        Await.until("the unknown authority is reported", () -> tenant.reason("Connected")
                .equals("TLSVerificationFailed"));
        assertThat(bootstrap(names)).isNotEmpty().doesNotContain(authority);

        tenant.register();
        Await.until("machines learn the new authority", () -> bootstrap(names).contains(authority));
        tenant.awaitSynced();

        assertThat(bootstrap(publish())).contains(authority);
    }

    private static String bootstrap(MachineDeploymentObjectNames names) {
        return ManifestObjects.value(tenant.secret(names.bootstrap()).orElseThrow(), "cloud-config");
    }

    @Test
    void anOutageOfTheManagementClustersEtcdEndsByItself() throws InterruptedException {
        tenant.awaitSynced();
        long mark = tenant.worker().audit().position();
        CLUSTERS.stopStore(tenant.management());
        Thread.sleep(OUTAGE);
        assertThat(tenant.worker().audit().writesSince(mark, RealTenant.HUB_IN_WORKER))
                .isZero();
        CLUSTERS.resumeStore(tenant.management());
        // The API server reconnects to its etcd after a backoff.
        MachineDeploymentObjectNames names = publish();

        Await.untilAsserted(() -> assertThat(tenant.osc(names.osc())).isPresent());
        assertThat(hub.process().running()).isTrue();
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }
}
