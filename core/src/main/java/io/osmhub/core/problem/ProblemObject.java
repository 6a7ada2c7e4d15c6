package io.osmhub.core.problem;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The object that a problem is about. Values may be those that an API server reports, invalid or cut.
 *
 * @param cluster where it is
 * @param kind for example {@code MachineDeployment}; empty for a file or a cluster as a whole
 * @param namespace empty if it has none, or is in the tenant's own
 * @param name of the object, or the file's path
 */
public record ProblemObject(Cluster cluster, String kind, String namespace, String name) {
    /** None: the tenant's settings, or the only input. */
    public static final ProblemObject NONE = new ProblemObject(Cluster.MANAGEMENT, "", "", "");

    /** One of the two clusters of a tenant. */
    public enum Cluster {
        @JsonProperty("Management")
        MANAGEMENT,
        @JsonProperty("Worker")
        WORKER
    }

    /** An object by its kind, in the cluster where the hub uses that kind. {@code name} may be {@code NAMESPACE/NAME}. */
    public static ProblemObject of(String kind, String name) {
        return of(kind.equals("MachineDeployment") ? Cluster.WORKER : Cluster.MANAGEMENT, kind, name);
    }

    /** An object of the worker cluster. {@code name} may be {@code NAMESPACE/NAME}. */
    public static ProblemObject inWorker(String kind, String name) {
        return of(Cluster.WORKER, kind, name);
    }

    /** A file, or another input that has no kind. */
    public static ProblemObject input(String name) {
        return new ProblemObject(Cluster.MANAGEMENT, "", "", name);
    }

    private static ProblemObject of(Cluster cluster, String kind, String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? new ProblemObject(cluster, kind, "", name)
                : new ProblemObject(cluster, kind, name.substring(0, slash), name.substring(slash + 1));
    }

    public boolean isNone() {
        return kind.isEmpty() && name.isEmpty();
    }

    /** Whether it is an OperatingSystemProfileExtension. */
    public boolean isExtension() {
        return kind.equals(ReasonDescription.SubjectKind.EXTENSION.kind());
    }

    /** {@code NAMESPACE/NAME}, or the name of an object without a namespace. */
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** For people, for example {@code MachineDeployment kube-system/workers}; empty for none. */
    @Override
    public String toString() {
        return (kind + " " + path()).strip();
    }
}
