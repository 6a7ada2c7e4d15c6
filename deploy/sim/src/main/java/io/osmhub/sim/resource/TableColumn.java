package io.osmhub.sim.resource;

/** A column of {@code kubectl get}. {@code path} is a simple JSONPath such as {@code .spec.replicas}; priority above 0 shows with {@code -o wide}. */
public record TableColumn(String name, String type, String format, String description, int priority, String path) {
    /** A text column that is always shown. */
    public static TableColumn of(String name, String path) {
        return new TableColumn(name, "string", "", name, 0, path);
    }

    /** A column with the number of elements of a list or fields of an object; {@code format} marks it. */
    public static TableColumn count(String name, String path) {
        return new TableColumn(name, "integer", "count", name, 0, path);
    }

    /** How long ago the object was created. */
    public static TableColumn age() {
        return new TableColumn("Age", "date", "", "How long ago it was created", 0, ".metadata.creationTimestamp");
    }
}
