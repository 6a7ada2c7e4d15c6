package io.osmhub.workersync.watch;

/** {@code namespace} is empty for a cluster-scoped kind. */
public record ObjectKey(String namespace, String name) {
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
