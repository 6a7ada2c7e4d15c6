package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.deploy.fleet.ClusterClient;
import io.osmhub.deploy.migrate.MigrationPlan.Unclear;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which KKP leaves a user cluster to the hub. KKP reverts edits of OSM's Deployments within seconds; only the
 * Cluster object stops OSM's controller, and only while no default of the Seed overrides its 0 replicas.
 *
 * <p>KKP v2.31: defaults of the Seed, then of its default ClusterTemplate, replace empty fields at each update, and 0 counts as empty.
 */
final class KkpConditions {
    private static final String OVERRIDE = "spec.componentsOverride.operatingSystemManager.replicas";
    private static final String WEBHOOK = OsmDeployment.NAME + "-webhook";

    private final ClusterClient managementCluster;
    private final List<JsonNode> clusters;

    /** Reads the KKP Clusters; none without KKP. */
    KkpConditions(ClusterClient managementCluster) {
        this.managementCluster = managementCluster;
        this.clusters = managementCluster.list(Resource.KKP_CLUSTERS, "", Map.of());
    }

    /** Namespaces of all Clusters. */
    List<String> namespaces() {
        return clusters.stream()
                .map(cluster -> cluster.at("/status/namespaceName").asText())
                .filter(namespace -> !namespace.isEmpty())
                .toList();
    }

    /** The Cluster of a namespace; null if the namespace is not KKP's. */
    @Nullable JsonNode cluster(String namespace) {
        return clusters.stream()
                .filter(cluster -> cluster.at("/status/namespaceName").asText().equals(namespace))
                .findFirst()
                .orElse(null);
    }

    /** Replicas of OSM's controller in the Cluster object; null if not set. */
    static @Nullable Integer replicas(JsonNode cluster) {
        JsonNode replicas = cluster.at("/spec/componentsOverride/operatingSystemManager/replicas");
        return replicas.isInt() ? Integer.valueOf(replicas.intValue()) : null;
    }

    /** Every condition that does not hold. */
    List<Unclear> check(JsonNode cluster, String namespace) {
        ObjectMetadata head = ObjectMetadata.of(cluster);
        String object = "Cluster " + head.name();
        List<Unclear> unclear = new ArrayList<>();
        if (head.isBeingDeleted()) {
            unclear.add(new Unclear(object, "is being deleted", "wait until it is deleted"));
        }
        if (cluster.at("/spec/pause").asBoolean()) {
            unclear.add(new Unclear(
                    object,
                    "is paused, so KKP does not apply changes to it",
                    "unpause it, or migrate it later with -n"));
        }
        String worker = head.labels().getOrDefault("worker-name", "");
        if (!worker.isEmpty()) {
            unclear.add(new Unclear(object, "belongs to the KKP manager with worker-name " + worker, ""));
        }
        overrides(cluster, object, unclear);
        JsonNode webhook = managementCluster.get(Resource.DEPLOYMENTS, namespace, WEBHOOK);
        if (webhook == null || webhook.at("/status/readyReplicas").asInt() < 1) {
            unclear.add(new Unclear(
                    "Deployment " + namespace + "/" + WEBHOOK,
                    webhook == null ? "does not exist" : "is not ready",
                    "OSM's webhook must run, because the user cluster rejects changes without it"));
        }
        return unclear;
    }

    private void overrides(JsonNode cluster, String object, List<Unclear> unclear) {
        String datacenter = cluster.at("/spec/cloud/dc").asText();
        JsonNode seed = null;
        for (JsonNode candidate : managementCluster.list(Resource.KKP_SEEDS, "", Map.of())) {
            seed = candidate.path("spec").path("datacenters").has(datacenter) ? candidate : seed;
        }
        if (seed == null) {
            unclear.add(new Unclear(
                    object,
                    "no Seed has datacenter " + datacenter + ", so its defaults are unknown",
                    "use a kubeconfig of the seed cluster that may list seeds.kubermatic.k8c.io"));
            return;
        }
        String name = ObjectMetadata.of(seed).name();
        override(
                "Seed " + name,
                "spec.defaultComponentSettings.operatingSystemManager.replicas",
                seed.at("/spec/defaultComponentSettings/operatingSystemManager/replicas"),
                unclear);
        String template = seed.at("/spec/defaultClusterTemplate").asText();
        if (template.isEmpty()) {
            return;
        }
        JsonNode found = managementCluster.get(Resource.KKP_CLUSTER_TEMPLATES, "", template);
        if (found == null) {
            unclear.add(new Unclear(
                    "ClusterTemplate " + template,
                    "is the default of Seed " + name + " and does not exist here",
                    "check that it does not set " + OVERRIDE + ", and create it"));
            return;
        }
        override(
                "ClusterTemplate " + template,
                OVERRIDE,
                found.at("/spec/componentsOverride/operatingSystemManager/replicas"),
                unclear);
    }

    private static void override(String object, String field, JsonNode replicas, List<Unclear> unclear) {
        if (replicas.asInt() != 0) {
            unclear.add(new Unclear(
                    object,
                    field + " is " + replicas.asInt() + ", which KKP stores in each Cluster instead of 0",
                    "remove it"));
        }
    }
}
