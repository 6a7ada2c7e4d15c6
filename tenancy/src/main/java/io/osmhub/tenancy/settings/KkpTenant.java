package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.kkp.KkpKind;
import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user cluster of KKP.
 *
 * @param settings from KKP's objects; with mistakes where KKP stops reconciling the Cluster, or OSM would reject an argument
 */
public record KkpTenant(ReducedCluster cluster, OwnSettings settings) {
    /**
     * The parts of a Cluster that the hub uses. Neither credentials nor the admin token are kept.
     *
     * @param namespace of the control plane; empty until KKP has created it
     * @param paused KKP's controllers stand still
     * @param deleting KKP cleans it up
     * @param workerName non-empty if it belongs to another manager than the installation's own
     * @param object with the fields that settings are derived from
     */
    record ReducedCluster(
            String name, String namespace, boolean paused, boolean deleting, String workerName, JsonNode object) {
        private static final String WORKER_NAME = "worker-name";

        static ReducedCluster of(JsonNode cluster) {
            ObjectMetadata head = ObjectMetadata.of(cluster);
            ObjectNode object = Reducer.head(cluster, KkpKind.CLUSTER);
            Reducer.copy(cluster.at("/metadata/labels"), "project-id", object.withObject("/metadata/labels"));
            JsonNode spec = cluster.path("spec");
            ObjectNode kept = object.putObject("spec");
            for (String field : List.of(
                    "version",
                    "clusterNetwork",
                    "containerRuntime",
                    "containerRuntimeOpts",
                    "features",
                    "imagePullSecret")) {
                Reducer.copy(spec, field, kept);
            }
            ObjectNode cloud = kept.putObject("cloud");
            // Which providers there are; their content may be a credential.
            spec.path("cloud")
                    .properties()
                    .forEach(entry -> cloud.set(
                            entry.getKey(), entry.getValue().isObject() ? WireJson.object() : entry.getValue()));
            Reducer.copy(
                    spec.at("/componentsOverride/operatingSystemManager"),
                    "proxy",
                    kept.putObject("componentsOverride").putObject("operatingSystemManager"));
            ObjectNode condition =
                    object.putObject("status").putObject("conditions").putObject("CSIKubeletMigrationCompleted");
            Reducer.copy(cluster.at("/status/conditions/CSIKubeletMigrationCompleted"), "status", condition);
            return new ReducedCluster(
                    head.name(),
                    cluster.at("/status/namespaceName").asText(),
                    spec.path("pause").asBoolean(),
                    head.isBeingDeleted(),
                    head.labels().getOrDefault(WORKER_NAME, ""),
                    object);
        }
    }

    /** Reduces objects to the fields that settings are derived from. */
    static final class Reducer {
        private static final String MIGRATION = "csi-migration.k8c.io/migration-needed";

        private Reducer() {}

        static JsonNode seed(JsonNode seed) {
            ObjectNode object = head(seed, KkpKind.SEED);
            ObjectNode spec = object.putObject("spec");
            copy(seed.path("spec"), "proxySettings", spec);
            ObjectNode datacenters = spec.putObject("datacenters");
            seed.at("/spec/datacenters").properties().forEach(entry -> {
                ObjectNode datacenter = datacenters.putObject(entry.getKey());
                copy(entry.getValue(), "node", datacenter);
            });
            return object;
        }

        static JsonNode configuration(JsonNode configuration) {
            ObjectNode object = head(configuration, KkpKind.CONFIGURATION);
            ObjectNode spec = object.putObject("spec");
            copy(configuration.path("spec"), "featureGates", spec);
            copy(configuration.at("/spec/userCluster"), "operatingSystemManager", spec.putObject("userCluster"));
            return object;
        }

        private static ObjectNode head(JsonNode from, KkpKind kind) {
            ObjectNode object = WireJson.object();
            object.put("kind", kind.kind());
            ObjectNode metadata = object.putObject("metadata");
            copy(from.path("metadata"), "name", metadata);
            copy(from.at("/metadata/annotations"), MIGRATION, metadata.putObject("annotations"));
            return object;
        }

        private static void copy(JsonNode from, String field, ObjectNode to) {
            JsonNode value = from.path(field);
            if (!value.isMissingNode()) {
                to.set(field, value);
            }
        }
    }

    static KkpTenant of(ReducedCluster cluster, Collection<JsonNode> seeds, @Nullable JsonNode configuration) {
        return new KkpTenant(cluster, settings(cluster, seeds, configuration));
    }

    private static OwnSettings settings(
            ReducedCluster cluster, Collection<JsonNode> seeds, @Nullable JsonNode configuration) {
        SettingsLayer layer;
        try {
            layer = KkpSettings.read(
                            SourceDocument.of(ProblemObject.input(cluster.name()), cluster.object()),
                            seeds.stream()
                                    .map(seed -> SourceDocument.of(ProblemObject.NONE, seed))
                                    .toList(),
                            configuration == null ? null : SourceDocument.of(ProblemObject.NONE, configuration))
                    .layer();
        } catch (TenantMistake e) {
            return new OwnSettings(SettingsLayer.EMPTY, e.findings());
        }
        if (!layer.isSet(Setting.REGISTRY_CREDENTIALS)
                || !layer.get(Setting.REGISTRY_CREDENTIALS)
                        .path("namespace")
                        .asText()
                        .isEmpty()) {
            return OwnSettings.of(layer);
        }
        // OSM would look for a Secret without a namespace and fail; here it must not become one of the tenant's
        // namespace.
        Origin origin = layer.origins(Setting.REGISTRY_CREDENTIALS).getFirst();
        return new OwnSettings(
                SettingsLayer.EMPTY,
                List.of(new Problem(
                        Reason.SettingsInvalid,
                        ProblemObject.input(origin.object()),
                        origin.field() + ".namespace",
                        "is missing, so the Secret of the user cluster cannot be read",
                        "set it")));
    }

    /** Labels that the WorkerCluster counts as having, by which extensions select tenants. */
    public Map<String, String> labels() {
        String datacenter = cluster.object().at("/spec/cloud/dc").asText();
        String project = cluster.object().at("/metadata/labels/project-id").asText();
        return Map.of("osmhub.io/kkp-datacenter", datacenter, "osmhub.io/kkp-project", project);
    }

    /** Whether this installation's KKP manages it, so that the hub serves it. */
    public boolean isManaged() {
        return cluster.workerName().isEmpty();
    }

    public boolean isPaused() {
        return cluster.paused();
    }

    public boolean isBeingDeleted() {
        return cluster.deleting();
    }

    /** For messages. */
    public String describe() {
        return KkpKind.CLUSTER.kind() + " " + cluster.name();
    }
}
