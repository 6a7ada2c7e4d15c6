package io.osmhub.api.inventory;

import io.osmhub.api.paging.Row;
import io.osmhub.api.paging.SearchText;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A MachineDeployment as lists see it.
 *
 * @param place the tenant's worker cluster, shared by all its rows
 * @param config null while it has none, because its first rendering failed or is not over
 * @param reason why new nodes do not start as wanted; null when they do
 * @param since when that began; null when it is not known
 */
record DeploymentRow(
        Place place,
        String name,
        String machineNamespace,
        @Nullable ConfigRow config,
        NewNodes newNodes,
        @Nullable Reason reason,
        @Nullable Instant since)
        implements Row {
    /**
     * What rows of one tenant have in common.
     *
     * @param labels of the WorkerCluster
     * @param words what all of them are searched by
     */
    record Place(String namespace, String workerCluster, Map<String, String> labels, String[] words) {
        static Place of(String namespace, String workerCluster, Map<String, String> labels) {
            return new Place(
                    namespace, workerCluster, labels, Words.of(List.of(namespace, workerCluster), labels.values()));
        }

        boolean same(String otherWorkerCluster, Map<String, String> otherLabels) {
            return workerCluster.equals(otherWorkerCluster) && labels.equals(otherLabels);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return namespace.hashCode();
        }
    }

    /** Tells one from the others of its tenant. */
    record Key(String tenant, String namespace, String name) {}

    static DeploymentRow of(Place place, ConfigRow config, @Nullable Condition ofTenant) {
        NewNodes newNodes = config.newNodes();
        Condition problem = config.problem();
        if (problem == null && newNodes != NewNodes.CURRENT) {
            problem = ofTenant;
        }
        return new DeploymentRow(
                place,
                config.deploymentName(),
                config.deploymentNamespace(),
                config,
                newNodes,
                problem == null ? null : Stored.reason(problem.reason()),
                problem == null ? null : Stored.time(problem.lastTransitionTime()));
    }

    Key key() {
        return new Key(place.namespace(), machineNamespace, name);
    }

    @Override
    public String namespace() {
        return place.namespace();
    }

    @Override
    public long fingerprint() {
        return Row.fingerprintOf(place.namespace(), machineNamespace) * 31 + name.hashCode();
    }

    @Override
    public Map<String, String> labels() {
        return place.labels();
    }

    @Override
    public boolean mentions(SearchText text) {
        return Words.mention(place.words(), text)
                || text.isIn(name)
                || text.isIn(machineNamespace)
                || Words.mentions(reason, text);
    }

    boolean usesProfile(String wanted) {
        return config != null && config.usesProfile(wanted);
    }

    String cloudProvider() {
        return config == null ? "" : config.cloudProvider();
    }

    /** As namespace/name; null when it is not known. */
    @Nullable String profile() {
        String profile = config == null ? "" : config.profile();
        return profile.isEmpty() ? null : profile;
    }

    @Nullable Instant createdAt() {
        return config == null ? null : config.listed().createdAt();
    }

    /** Whether somebody who looks sees no difference. */
    boolean saysTheSame(DeploymentRow other) {
        return place == other.place
                && config == other.config
                && newNodes == other.newNodes
                && reason == other.reason
                && Objects.equals(since, other.since)
                && name.equals(other.name)
                && machineNamespace.equals(other.machineNamespace);
    }
}
