package io.osmhub.workersync.watch;

/** Which object of a kind. {@code namespace} is empty for a kind without. */
public record ObjectKey(String namespace, String name) {
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
