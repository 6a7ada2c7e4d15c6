package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.ApiResource.ResourcePath;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tokens with which machines of one MachineDeployment fetch their own secrets and no others, as a real API server sees them. */
final class ScopedFetchE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    private static final ApiResource ROLES = new ApiResource("rbac.authorization.k8s.io", "v1", "roles");
    private static final ApiResource ROLE_BINDINGS = new ApiResource("rbac.authorization.k8s.io", "v1", "rolebindings");
    private static final List<ApiResource> GRANTS = List.of(ApiResource.SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS);

    private static InstalledHub hub;
    /** Grants scoped tokens; the other one does not. */
    private static RealTenant granting;

    private static RealTenant silent;

    @BeforeAll
    static void start() {
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        granting = tenant("cluster-granting", 1);
        silent = tenant("cluster-silent", 2);
        ManifestObjects.file(ShippedManifests.FOLDER.resolve("rbac-worker-scoped-fetch.yaml"))
                .forEach(granting.worker().admin()::apply);
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
        granting.register();
        silent.register().awaitSynced();
        granting.awaitSynced();
    }

    private static RealTenant tenant(String namespace, int worker) {
        RealTenant tenant = RealTenant.prepare(namespace, CLUSTERS.management(), CLUSTERS.worker(worker));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        ObjectNode profile = ExampleObjects.profile();
        profile.withObject("/metadata/annotations").put("osmhub.io/supported-node-fetch", "SharedToken,ScopedToken");
        tenant.storeProfile(profile);
        return tenant;
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static ObjectNames publish(RealTenant tenant, String name) {
        tenant.worker().admin().create(ExampleObjects.machineDeployment(name));
        ObjectNames names = new ObjectNames("kube-system", name);
        Await.until("published", () -> tenant.secret(names.bootstrapSecret()).isPresent());
        return names;
    }

    /** Null while the shared one is published. */
    private static @Nullable FetchToken published(ObjectNames names) {
        return granting.secret(names.bootstrapSecret())
                .map(secret -> value(secret, FetchToken.SECRET_KEY))
                .map(text -> FetchToken.read(new Sensitive(text)))
                .orElse(null);
    }

    private static FetchToken token(ObjectNames names) {
        return Objects.requireNonNull(published(names));
    }

    /** The same token an hour before its end. */
    private static String endingSoon(FetchToken token) {
        Instant now = Instant.now();
        return granting.worker()
                .withLife(token.text().reveal(), now.minus(Duration.ofHours(3)), now.plus(Duration.ofHours(1)));
    }

    private static String value(JsonNode secret, String key) {
        return new String(
                Base64.getDecoder().decode(secret.path("data").path(key).asText()), StandardCharsets.UTF_8);
    }

    private static ClusterClient machine(ObjectNames names) {
        return granting.worker().client(token(names).text().reveal());
    }

    private static boolean canFetch(ObjectNames names) {
        try {
            ClusterClient machine = machine(names);
            return machine.find(ApiResource.SECRETS.in(RealTenant.SETTINGS, names.provisioningSecret()))
                            .isPresent()
                    && machine.find(ApiResource.SECRETS.in(RealTenant.SETTINGS, names.kubeletBootstrapSecret()))
                            .isPresent();
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private static void assertRefused(ClusterClient machine, ResourcePath place) {
        assertThatThrownBy(() -> machine.find(place))
                .isInstanceOfSatisfying(KubernetesClientException.class, refusal -> assertThat(refusal.getCode())
                        .isEqualTo(403));
    }

    @Test
    void aTokenReadsItsOwnTwoSecretsAndNothingElse() {
        ObjectNames own = publish(granting, "reader");
        ObjectNames others = publish(granting, "other");

        Await.until("it may fetch", () -> canFetch(own));

        ClusterClient machine = machine(own);
        assertRefused(machine, ApiResource.SECRETS.in(RealTenant.SETTINGS, others.provisioningSecret()));
        assertRefused(machine, ApiResource.SECRETS.in(RealTenant.SETTINGS, others.kubeletBootstrapSecret()));
        assertRefused(machine, ApiResource.SECRETS.in(RealTenant.SETTINGS, own.bootstrapSecret()));
        assertRefused(machine, ApiResource.SECRETS.in(RealTenant.SETTINGS));
        assertRefused(machine, ApiResource.SECRETS.in("kube-system"));
        assertThat(token(own).lifetime()).isEqualTo(FetchToken.LIFE);
        assertThat(granting.osc(own.operatingSystemConfig()).orElseThrow().toString())
                .doesNotContain(token(own).text().reveal());
    }

    @Test
    void fourRequestsMoreThanWithTheSharedToken() {
        publish(granting, "first");
        long mark = granting.worker().audit().position();

        ObjectNames names = publish(granting, "counted");
        Await.until("it may fetch", () -> canFetch(names));

        assertThat(granting.worker().audit().since(mark, RealTenant.HUB_IN_WORKER))
                .filteredOn(entry -> !entry.verb().equals("watch"))
                .filteredOn(entry -> !entry.resource().equals("events"))
                // The audit log may record a request after its object could be read.
                .filteredOn(entry -> !entry.name().startsWith("first-"))
                .hasSize(5 + 4)
                .noneMatch(entry -> entry.reads());
    }

    @Test
    void whatIsDeletedOrEditedIsPutRight() {
        ObjectNames names = publish(granting, "mended");
        Await.until("it may fetch", () -> canFetch(names));
        for (ApiResource grant : GRANTS) {
            granting.worker().admin().delete(grant.in(RealTenant.SETTINGS, names.fetchAccount()));
            Await.until("it may fetch again without " + grant.plural(), () -> canFetch(names));
        }
        granting.worker().admin().merge(ROLES.in(RealTenant.SETTINGS, names.fetchAccount()), "{rules: []}");
        granting.worker().admin().merge(ROLE_BINDINGS.in(RealTenant.SETTINGS, names.fetchAccount()), "{subjects: []}");

        Await.until(
                "both are as before",
                () -> canFetch(names)
                        && granting.worker()
                                .admin()
                                .find(ROLES.in(RealTenant.SETTINGS, names.fetchAccount()))
                                .filter(role -> !role.path("rules").isEmpty())
                                .isPresent());
    }

    @Test
    void aTokenThatEndsSoonIsRenewedInPlace() {
        ObjectNames names = publish(granting, "renewed");
        Await.until("it may fetch", () -> canFetch(names));
        String ending = endingSoon(token(names));
        String uid = granting.secret(names.bootstrapSecret())
                .orElseThrow()
                .at("/metadata/uid")
                .asText();

        granting.worker()
                .admin()
                .merge(
                        ApiResource.SECRETS.in(RealTenant.SETTINGS, names.bootstrapSecret()),
                        "{stringData: {" + FetchToken.SECRET_KEY + ": " + ending + "}}");

        Await.until(
                "a new one is published",
                () -> token(names).expiration().isAfter(Instant.now().plus(Duration.ofHours(3))));
        assertThat(canFetch(names)).isTrue();
        JsonNode secret = granting.secret(names.bootstrapSecret()).orElseThrow();
        assertThat(secret.at("/metadata/uid").asText()).isEqualTo(uid);
        assertThat(value(secret, "cloud-config")).doesNotContain(ending);
    }

    @Test
    void theSharedTokenComesBackWhenItIsAskedForAndTheOtherWayRound() {
        ObjectNames names = publish(granting, "changed");
        Await.until("it may fetch", () -> canFetch(names));

        granting.mergeSettings("{provisioning: {bootstrap: {nodeFetch: SharedToken}}}");
        Await.until("the shared one is published", () -> published(names) == null);
        granting.mergeSettings("{provisioning: {bootstrap: {nodeFetch: ScopedToken}}}");
        Await.until("its own is published", () -> published(names) != null && canFetch(names));
        granting.mergeSettings("{provisioning: {bootstrap: {nodeFetch: Auto}}}");
    }

    @Test
    void withTheMachineDeploymentAllOfItGoes() {
        ObjectNames names = publish(granting, "leaving");
        Await.until("it may fetch", () -> canFetch(names));

        granting.worker().admin().delete(ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "leaving"));

        for (ApiResource grant : GRANTS) {
            Await.until(grant.plural() + " is deleted", () -> granting.worker()
                    .admin()
                    .find(grant.in(RealTenant.SETTINGS, names.fetchAccount()))
                    .isEmpty());
        }
    }

    @Test
    void withoutTheRoleAutoTakesTheSharedTokenAndScopedTokenSaysWhatIsMissing() {
        ObjectNames names = publish(silent, "shared");
        JsonNode secret = silent.secret(names.bootstrapSecret()).orElseThrow();
        assertThat(secret.path("data").has(FetchToken.SECRET_KEY)).isFalse();
        assertThat(silent.worker().admin().list(ROLES.in(RealTenant.SETTINGS)))
                .noneMatch(role -> ManifestObjects.name(role).startsWith("osm-hub-fetch-"));

        silent.mergeSettings("{provisioning: {bootstrap: {nodeFetch: ScopedToken}}}");

        Await.until("it is told", () -> silent.osc(names.operatingSystemConfig()).stream()
                .flatMap(osc -> osc.path("status").path("conditions").valueStream())
                .anyMatch(condition -> condition.path("reason").asText().equals("ScopedTokenNotGranted")));
        assertThat(silent.secret(names.bootstrapSecret()).orElseThrow().path("data"))
                .isEqualTo(secret.path("data"));
        silent.mergeSettings("{provisioning: {bootstrap: {nodeFetch: Auto}}}");
    }
}
