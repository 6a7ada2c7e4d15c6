package io.osmhub.tenancy.connection;

import io.osmhub.workersync.watch.EndpointSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permissions that the hub needs in a worker cluster: those of deploy/packaging/manifests/rbac-worker.yaml, enforced by a test. */
final class RequiredPermissions {
    private static final String CORE = "";
    private static final String ANY_NAME = "";
    private static final String EVERYWHERE = "";

    /** Names of OSM's Leases in {@code kube-system}. */
    static final List<String> PEER_LEASES =
            List.of("operating-system-manager", "operating-system-manager-worker-manager");

    /** Written by patches; read individually only after a write without a response. */
    private static final String[] SECRET_VERBS = {"get", "list", "watch", "create", "patch", "delete"};

    /** Watched to detect changes by other writers; read individually only after a write without a response. */
    private static final String[] GRANT_VERBS = SECRET_VERBS;

    private static final List<Permission> ALL = all();
    private static final List<Permission> SCOPED_FETCH = scopedFetch();

    private RequiredPermissions() {}

    /** Most important first, as displayed. */
    static List<Permission> list() {
        return ALL;
    }

    /** Additional permissions for tokens of single MachineDeployments: those of deploy/packaging/manifests/rbac-worker-scoped-fetch.yaml. */
    static List<Permission> ofScopedFetch() {
        return SCOPED_FETCH;
    }

    private static List<Permission> scopedFetch() {
        List<Permission> all = new ArrayList<>();
        String namespace = "cloud-init-settings";
        add(all, CORE, "serviceaccounts", namespace, ANY_NAME, GRANT_VERBS);
        add(all, CORE, "serviceaccounts/token", namespace, ANY_NAME, "create");
        add(all, "rbac.authorization.k8s.io", "roles", namespace, ANY_NAME, GRANT_VERBS);
        add(all, "rbac.authorization.k8s.io", "rolebindings", namespace, ANY_NAME, GRANT_VERBS);
        return List.copyOf(all);
    }

    /**
     * The permissions that together serve instead of one that OSM's roles do not grant; {@link EndpointSource} and the writer of secrets use them. Empty if
     * there are none.
     */
    static List<Permission> substitutes(Permission missing) {
        String namespace = missing.namespace();
        return switch (missing.verb() + " " + missing.resource()) {
            case "patch secrets" ->
                List.of(
                        new Permission("get", CORE, "secrets", namespace, ANY_NAME),
                        new Permission("update", CORE, "secrets", namespace, ANY_NAME));
            case "watch endpointslices" ->
                List.of(new Permission("list", missing.group(), missing.resource(), namespace, ANY_NAME));
            case "list endpointslices" -> List.of(new Permission("get", CORE, "endpoints", namespace, "kubernetes"));
            default -> List.of();
        };
    }

    /** What the hub does without a permission that OSM's roles do not grant; null if the hub needs it. */
    static @Nullable String limitWithout(Permission missing) {
        return switch (missing.resource()) {
            case "secrets" ->
                missing.verb().equals("delete") && missing.namespace().equals("kube-system")
                        ? "bootstrap tokens are not deleted, they expire"
                        : null;
            case "endpointslices" -> "nodes need an API server in ConfigMap cluster-info";
            case "events" -> "Events are written in kube-system only";
            case "namespaces" -> "the cluster's identity is unknown";
            case "serviceaccounts" -> "nodes cannot join with the token of a ServiceAccount";
            default -> null;
        };
    }

    /** Those without which the hub cannot serve the cluster. */
    static List<Permission> indispensable(List<Permission> missing) {
        return missing.stream()
                .filter(permission -> limitWithout(permission) == null)
                .toList();
    }

    private static List<Permission> all() {
        List<Permission> all = new ArrayList<>();
        add(all, "cluster.k8s.io", "machinedeployments", EVERYWHERE, ANY_NAME, "get", "list", "watch", "patch");
        add(all, CORE, "secrets", "cloud-init-settings", ANY_NAME, SECRET_VERBS);
        add(all, CORE, "secrets", "kube-system", ANY_NAME, SECRET_VERBS);
        add(all, CORE, "serviceaccounts", "kube-system", ANY_NAME, "list", "watch");
        add(all, CORE, "configmaps", "kube-public", "cluster-info", "list", "watch");
        add(all, "discovery.k8s.io", "endpointslices", "default", ANY_NAME, "list", "watch");
        add(all, CORE, "namespaces", EVERYWHERE, "kube-system", "get");
        for (String lease : PEER_LEASES) {
            add(all, "coordination.k8s.io", "leases", "kube-system", lease, "get", "update");
        }
        add(all, "events.k8s.io", "events", EVERYWHERE, ANY_NAME, "create", "patch");
        return List.copyOf(all);
    }

    private static void add(
            List<Permission> all, String group, String resource, String namespace, String name, String... verbs) {
        for (String verb : verbs) {
            all.add(new Permission(verb, group, resource, namespace, name));
        }
    }
}
