package io.osmhub.tenancy.connection;

/**
 * One thing that the hub does in a cluster.
 *
 * @param group API group; empty for the core group
 * @param namespace where; empty when it is done in all of them, or to a kind without
 * @param name the only object that it is done to; empty for any
 */
public record Permission(String verb, String group, String resource, String namespace, String name) {
    private static final String NO_NAMESPACE = "_";

    /**
     * The namespace whose rules say whether it is granted. For what is done in all of them it is one that cannot exist: only what is
     * granted cluster-wide holds there.
     */
    public String reviewedIn() {
        return namespace.isEmpty() ? NO_NAMESPACE : namespace;
    }

    /** As after "may not", for example {@code list machinedeployments.cluster.k8s.io}. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group)
                + (name.isEmpty() ? "" : " " + name)
                + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
}
