package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One tenant: its namespace in the management cluster, its worker cluster, and what people do to both. */
public record RealTenant(String namespace, RealCluster management, RealCluster worker) {
    /** Namespace of the secrets that machines start from. */
    static final String SETTINGS = "cloud-init-settings";

    /** Name of the tenant's WorkerCluster. */
    static final String NAME = "worker";

    /** Who the hub is in a worker cluster, as its audit log says. */
    public static final String HUB_IN_WORKER = "system:serviceaccount:kube-system:osm-hub";

    /** Who the hub is in the management cluster. */
    public static final String HUB_IN_MANAGEMENT = "system:serviceaccount:osm-hub:osm-hub";

    private static final String KUBECONFIG_SECRET = "worker-kubeconfig";

    /** Prepares the management cluster and returns the kubeconfig of the hub's ServiceAccount there, as a file. */
    static Path prepareManagement(RealCluster management, Path folder) {
        ShippedManifests.installInManagement(management);
        return managementKubeconfig(management, folder);
    }

    /** Prepares a management cluster that knows nothing of the hub but its permissions, and returns its kubeconfig there. */
    static Path prepareEmptyManagement(RealCluster management, Path folder) {
        ShippedManifests.installPermissions(management);
        return managementKubeconfig(management, folder);
    }

    private static Path managementKubeconfig(RealCluster management, Path folder) {
        return InstalledHub.write(folder.resolve(management.name() + ".kubeconfig"), managementKubeconfig(management));
    }

    /** A kubeconfig of the hub's ServiceAccount in the management cluster. */
    public static String managementKubeconfig(RealCluster management) {
        return management.kubeconfig(management.token(InstalledHub.NAMESPACE, "osm-hub"));
    }

    /** Prepares a worker cluster as its owner does, and the namespace of the tenant; it is not registered yet. */
    static RealTenant prepare(String namespace, RealCluster management, RealCluster worker) {
        RealTenant tenant = prepareUnbound(namespace, management, worker);
        bind(management, namespace);
        return tenant;
    }

    /** The same, but the hub has no permissions in the namespace. */
    static RealTenant prepareUnbound(String namespace, RealCluster management, RealCluster worker) {
        ShippedManifests.installInWorker(worker);
        management.admin().apply(ManifestObjects.namespace(namespace));
        RealTenant tenant = new RealTenant(namespace, management, worker);
        // No controller fills in the token of the nodes' account.
        tenant.fetchToken("fetch-" + namespace);
        return tenant;
    }

    /** Grants the hub its permissions in a tenant's namespace. */
    public static void bind(RealCluster management, String namespace) {
        management.admin().apply(binding(namespace));
    }

    static ObjectNode binding(String namespace) {
        return ManifestObjects.object("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: osm-hub-tenant, namespace: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: osm-hub-tenant}
                subjects: [{kind: ServiceAccount, name: osm-hub, namespace: osm-hub}]
                """.formatted(namespace));
    }

    /** Registers the tenant as most do it: a labelled Secret with a kubeconfig of the ServiceAccount that is shipped. */
    public RealTenant register() {
        return register(workerKubeconfig());
    }

    /** Registers the tenant with another kubeconfig. */
    RealTenant register(String kubeconfig) {
        ObjectNode secret = ManifestObjects.secret(namespace, KUBECONFIG_SECRET, Map.of("kubeconfig", kubeconfig));
        ((ObjectNode) secret.path("metadata")).putObject("labels").put("osmhub.io/worker-cluster", NAME);
        management.admin().apply(secret);
        return this;
    }

    /** A kubeconfig with the rights that are shipped. */
    String workerKubeconfig() {
        return worker.kubeconfig(worker.token("kube-system", "osm-hub"));
    }

    /** Removes the registration as its owner would; the garbage collector deletes the WorkerCluster with the Secret. */
    void unregister() {
        management.admin().delete(ApiResource.SECRETS.in(namespace, KUBECONFIG_SECRET));
        management.admin().delete(ApiResource.WORKER_CLUSTERS.in(namespace, NAME));
    }

    /** Waits until the hub reports the worker cluster as connected and everything as published. */
    RealTenant awaitSynced() {
        Await.untilAsserted(() -> assertThat(workerCluster()).as(namespace).hasValueSatisfying(found -> assertThat(
                        found.at("/status/state").asText())
                .as(found.path("status").toString())
                .isEqualTo("Synced")));
        return this;
    }

    String state() {
        return workerCluster()
                .map(found -> found.path("status").path("state").asText())
                .orElse("");
    }

    Optional<JsonNode> workerCluster() {
        return management.admin().find(ApiResource.WORKER_CLUSTERS.in(namespace, NAME));
    }

    /** Reason of a condition of the WorkerCluster; empty when it has none. */
    String reason(String condition) {
        return workerCluster().stream()
                .flatMap(found -> found.path("status").path("conditions").valueStream())
                .filter(found -> found.path("type").asText().equals(condition))
                .map(found -> found.path("reason").asText())
                .findFirst()
                .orElse("");
    }

    /** Changes settings: YAML that is merged into {@code spec} of the WorkerCluster. */
    void mergeSettings(String spec) {
        management.admin().merge(ApiResource.WORKER_CLUSTERS.in(namespace, NAME), "{spec: " + spec + "}");
    }

    /** Stores a profile in the tenant's namespace. */
    void storeProfile(JsonNode profile) {
        ObjectNode copy = profile.deepCopy();
        ((ObjectNode) copy.path("metadata")).put("namespace", namespace);
        management.admin().put(copy);
    }

    /** Stores an Enforced extension that adds one file, in the tenant's namespace. */
    void storeExtension(String name, String path, String content) {
        management.admin().apply("""
                apiVersion: osmhub.io/v1alpha1
                kind: OperatingSystemProfileExtension
                metadata: {name: %s, namespace: %s}
                spec:
                  target: {operatingSystems: [ubuntu]}
                  policy: Enforced
                  provisioning:
                    files: [{path: %s, content: %s}]
                """.formatted(name, namespace, path, content));
    }

    public void fetchToken(String token) {
        ObjectNode secret = ManifestObjects.secret(SETTINGS, "cloud-init-getter-token", Map.of("token", token));
        secret.put("type", "kubernetes.io/service-account-token");
        ((ObjectNode) secret.path("metadata"))
                .putObject("annotations")
                .put("kubernetes.io/service-account.name", "cloud-init-getter");
        worker.admin().apply(secret);
    }

    public void clusterInfo(String kubeconfig) {
        worker.admin()
                .apply(ManifestObjects.configMap("kube-public", "cluster-info", Map.of("kubeconfig", kubeconfig)));
    }

    /** A secret of the worker cluster that machines start from. */
    Optional<JsonNode> secret(String name) {
        return worker.admin().find(ApiResource.SECRETS.in(SETTINGS, name));
    }

    /** Resource versions of the secrets that machines start from, by name. */
    Map<String, String> secretVersions() {
        Map<String, String> versions = new TreeMap<>();
        worker.admin()
                .list(ApiResource.SECRETS.in(SETTINGS))
                .forEach(secret -> versions.put(
                        ManifestObjects.name(secret),
                        secret.at("/metadata/resourceVersion").asText()));
        return versions;
    }

    Optional<JsonNode> osc(String name) {
        return management.admin().find(ApiResource.OSCS.in(namespace, name));
    }

    /** The bootstrap tokens of a MachineDeployment. */
    List<JsonNode> bootstrapTokens(MachineDeploymentObjectNames names) {
        return worker.admin()
                .list(ApiResource.SECRETS.in("kube-system"), Map.of("machinedeployment.k8s.io/name", names.key()));
    }
}
