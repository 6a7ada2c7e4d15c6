package io.osmhub.sim.resource;

import io.osmhub.sim.resource.ResourceType.Traits;
import java.util.ArrayList;
import java.util.List;

/** The kinds that every simulated cluster serves without a CustomResourceDefinition. */
public final class BuiltInResources {
    /** Namespaces, core v1. */
    public static final ResourceKey NAMESPACES = new ResourceKey("", "namespaces");

    /** Secrets, core v1. */
    public static final ResourceKey SECRETS = new ResourceKey("", "secrets");

    /** ServiceAccounts, core v1. */
    public static final ResourceKey SERVICE_ACCOUNTS = new ResourceKey("", "serviceaccounts");

    /** Events: the core and the {@code events.k8s.io} view share this key. */
    public static final ResourceKey EVENTS = new ResourceKey("", "events");

    /** The group of roles and bindings. */
    public static final String RBAC = "rbac.authorization.k8s.io";

    /** CustomResourceDefinitions. */
    public static final ResourceKey DEFINITIONS = new ResourceKey("apiextensions.k8s.io", "customresourcedefinitions");

    /** Events as they are stored. */
    public static final ResourceType CORE_EVENT = namespaced("", "v1", "events", "Event")
            .shortNames("ev")
            .columns(
                    TableColumn.of("Type", ".type"),
                    TableColumn.of("Reason", ".reason"),
                    TableColumn.of("Object", ".involvedObject.name"),
                    TableColumn.of("Message", ".message"))
            .build();

    /** All of them, in the order of discovery. */
    public static final List<ResourceType> ALL = all();

    private BuiltInResources() {}

    private static List<ResourceType> all() {
        List<ResourceType> all = new ArrayList<>();
        all.add(cluster("", "v1", "namespaces", "Namespace")
                .status()
                .shortNames("ns")
                .columns(TableColumn.of("Status", ".status.phase"))
                .build());
        all.add(cluster("", "v1", "nodes", "Node")
                .status()
                .shortNames("no")
                .columns(
                        TableColumn.of("Status", ".status.conditions[?(@.type==\"Ready\")].reason"),
                        TableColumn.of("Version", ".status.nodeInfo.kubeletVersion"))
                .build());
        all.add(namespaced("", "v1", "configmaps", "ConfigMap")
                .shortNames("cm")
                .columns(TableColumn.count("Data", ".data"))
                .build());
        all.add(namespaced("", "v1", "secrets", "Secret")
                .columns(TableColumn.of("Type", ".type"), TableColumn.count("Data", ".data"))
                .build());
        all.add(namespaced("", "v1", "serviceaccounts", "ServiceAccount")
                .shortNames("sa")
                .build());
        all.add(namespaced("", "v1", "services", "Service")
                .status()
                .shortNames("svc")
                .columns(TableColumn.of("Type", ".spec.type"), TableColumn.of("Cluster-IP", ".spec.clusterIP"))
                .build());
        all.add(namespaced("", "v1", "pods", "Pod")
                .status()
                .shortNames("po")
                .columns(TableColumn.of("Status", ".status.phase"))
                .build());
        all.add(CORE_EVENT);
        all.add(namespaced("events.k8s.io", "v1", "events", "Event")
                .shortNames("ev")
                .columns(
                        TableColumn.of("Type", ".type"),
                        TableColumn.of("Reason", ".reason"),
                        TableColumn.of("Object", ".involvedObject.name"),
                        TableColumn.of("Note", ".message"))
                .build());
        all.add(namespaced("coordination.k8s.io", "v1", "leases", "Lease")
                .needsRevision()
                .columns(TableColumn.of("Holder", ".spec.holderIdentity"))
                .build());
        all.add(namespaced("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice")
                .generation()
                .columns(TableColumn.of("AddressType", ".addressType"))
                .build());
        all.add(namespaced(RBAC, "v1", "roles", "Role").build());
        all.add(namespaced(RBAC, "v1", "rolebindings", "RoleBinding")
                .columns(TableColumn.of("Role", ".roleRef.name"))
                .build());
        all.add(cluster(RBAC, "v1", "clusterroles", "ClusterRole").build());
        all.add(cluster(RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding")
                .columns(TableColumn.of("Role", ".roleRef.name"))
                .build());
        all.add(cluster(DEFINITIONS.group(), "v1", DEFINITIONS.plural(), "CustomResourceDefinition")
                .status()
                .generation()
                .needsRevision()
                .shortNames("crd", "crds")
                .build());
        // Stored and watched only: the simulator calls no webhook.
        all.add(cluster(
                        "admissionregistration.k8s.io",
                        "v1",
                        "mutatingwebhookconfigurations",
                        "MutatingWebhookConfiguration")
                .generation()
                .build());
        all.add(cluster(
                        "admissionregistration.k8s.io",
                        "v1",
                        "validatingwebhookconfigurations",
                        "ValidatingWebhookConfiguration")
                .generation()
                .build());
        all.add(namespaced("apps", "v1", "deployments", "Deployment")
                .status()
                .generation()
                .shortNames("deploy")
                .build());
        all.add(namespaced("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget")
                .status()
                .generation()
                .shortNames("pdb")
                .build());
        return List.copyOf(all);
    }

    private static Builder namespaced(String group, String version, String plural, String kind) {
        return new Builder(group, version, plural, kind, true);
    }

    private static Builder cluster(String group, String version, String plural, String kind) {
        return new Builder(group, version, plural, kind, false);
    }

    private static final class Builder {
        private final String group;
        private final String version;
        private final String plural;
        private final String kind;
        private final boolean namespaced;
        private boolean status;
        private boolean generation;
        private boolean unconditionalUpdate = true;
        private List<String> shortNames = List.of();
        private List<TableColumn> columns = List.of();

        Builder(String group, String version, String plural, String kind, boolean namespaced) {
            this.group = group;
            this.version = version;
            this.plural = plural;
            this.kind = kind;
            this.namespaced = namespaced;
        }

        Builder status() {
            status = true;
            return this;
        }

        Builder generation() {
            generation = true;
            return this;
        }

        Builder needsRevision() {
            unconditionalUpdate = false;
            return this;
        }

        Builder shortNames(String... names) {
            shortNames = List.of(names);
            return this;
        }

        Builder columns(TableColumn... some) {
            columns = List.of(some);
            return this;
        }

        ResourceType build() {
            List<TableColumn> all = new ArrayList<>(columns);
            all.add(TableColumn.age());
            Traits traits =
                    new Traits(namespaced, status, null, true, generation, unconditionalUpdate, shortNames, all, null);
            return new ResourceType(group, version, plural, kind.toLowerCase(java.util.Locale.ROOT), kind, traits);
        }
    }
}
