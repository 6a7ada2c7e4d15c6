package io.osmhub.tenancy.connection;

/**
 * A permission that the hub needs.
 *
 * @param group API group; empty for the core group
 * @param namespace empty for all namespaces or a cluster-scoped kind
 * @param name the only permitted object; empty for any
 */
public record Permission(String verb, String group, String resource, String namespace, String name) {
    /** A namespace that cannot exist, so that only cluster-wide rules apply in it. */
    static final String NO_NAMESPACE = "_";

    /** Follows "may not" in messages, for example {@code list machinedeployments.cluster.k8s.io}. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group)
                + (name.isEmpty() ? "" : " " + name)
                + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
}
