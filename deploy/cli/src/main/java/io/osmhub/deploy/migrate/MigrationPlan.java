package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What migrating from Operating System Manager (OSM) would do. Contains no credential.
 *
 * @param items one for each tenant, by namespace
 */
public record MigrationPlan(Totals totals, List<TenantPlan> items) {
    public MigrationPlan {
        items = List.copyOf(items);
    }

    static MigrationPlan of(List<TenantPlan> items) {
        List<MachineDeploymentPlan> all = items.stream()
                .flatMap(tenant -> tenant.machineDeployments().stream())
                .toList();
        return new MigrationPlan(
                new Totals(
                        items.size(),
                        all.size(),
                        all.stream().mapToInt(MachineDeploymentPlan::secrets).sum(),
                        all.stream().mapToInt(one -> one.writes().size()).sum(),
                        items.stream().mapToInt(one -> one.unclear().size()).sum()),
                items);
    }

    /**
     * Totals over all tenants.
     *
     * @param secrets existing secrets of the MachineDeployments
     * @param writes to the worker clusters, if the hub took over now
     * @param unclear objects that block the takeover
     */
    public record Totals(int tenants, int machineDeployments, int secrets, int writes, int unclear) {}

    /** Whether the hub renders what is stored. */
    public enum Match {
        /** Byte for byte, with the same annotations. */
        @JsonProperty("Identical")
        IDENTICAL,
        /** The same bytes, other annotations. */
        @JsonProperty("Annotations")
        ANNOTATIONS,
        /** Other bytes. */
        @JsonProperty("Different")
        DIFFERENT,
        /** Nothing is stored. */
        @JsonProperty("Missing")
        MISSING,
        /** The hub cannot render it. */
        @JsonProperty("NotRendered")
        NOT_RENDERED
    }

    /**
     * One tenant.
     *
     * @param namespace of the WorkerCluster, in the management cluster
     * @param cluster the KKP Cluster; empty without KKP
     * @param osm namespace and name of OSM's Deployment
     * @param kubeconfigSecret with which the hub will connect; empty for the management cluster itself
     * @param lease OSM's Lease in {@code kube-system} of the worker cluster
     * @param holder holder of the Lease; empty if it is free
     * @param migrated whether a WorkerCluster of an earlier migration exists
     * @param unclear why nothing may be changed; empty if it may
     * @param notes remarks that do not block the takeover
     */
    public record TenantPlan(
            String namespace,
            String workerCluster,
            String cluster,
            String osm,
            String kubeconfigSecret,
            String lease,
            String holder,
            boolean migrated,
            List<FoundSetting> settings,
            List<FoundProfile> profiles,
            List<MachineDeploymentPlan> machineDeployments,
            List<Unclear> unclear,
            List<String> notes) {
        public TenantPlan {
            settings = List.copyOf(settings);
            profiles = List.copyOf(profiles);
            machineDeployments = List.copyOf(machineDeployments);
            unclear = List.copyOf(unclear);
            notes = List.copyOf(notes);
        }
    }

    /**
     * A setting that OSM runs with.
     *
     * @param field below {@code spec} of the WorkerCluster, or the name of an environment variable
     * @param value as JSON; empty for an environment variable, which may be a credential
     */
    public record FoundSetting(String field, String value, String source) {}

    /**
     * An OperatingSystemProfile.
     *
     * @param source its cluster and namespace
     * @param action {@code copy} to the tenant's namespace, or {@code keep}
     * @param usedBy number of MachineDeployments
     */
    public record FoundProfile(String name, String version, String source, String action, int usedBy) {}

    /**
     * A MachineDeployment that the hub would serve.
     *
     * @param secrets existing secrets of it
     * @param writes to the worker cluster if the hub took over now, each with its reason
     */
    public record MachineDeploymentPlan(
            String name,
            String profile,
            Match bootstrap,
            Match provisioning,
            Match kubeletBootstrap,
            int secrets,
            List<String> writes) {
        public MachineDeploymentPlan {
            writes = List.copyOf(writes);
        }
    }

    /** An object that is not understood, or a condition that does not hold. {@code fix} may be empty. */
    public record Unclear(String object, String what, String fix) {
        @Override
        public String toString() {
            return object + ": " + what + (fix.isEmpty() ? "" : "; " + fix);
        }
    }
}
