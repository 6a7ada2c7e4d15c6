package io.osmhub.sim.objects;

/** Parameters of a list or watch. An empty namespace means all; {@code limit} 0 means no limit; {@code token} continues an earlier page. */
public record ListParameters(String namespace, LabelSelector labels, FieldSelector fields, int limit, String token) {
    /** All objects of one namespace, or of all if it is empty. */
    public static ListParameters in(String namespace, ResourceType type) {
        return parse(namespace, type, "", "", 0, "");
    }

    /** Parses the selectors. */
    public static ListParameters parse(
            String namespace, ResourceType type, String labels, String fields, int limit, String token) {
        return new ListParameters(
                namespace, LabelSelector.parse(labels), FieldSelector.parse(fields, type), limit, token);
    }

    /** Whether an object is selected. */
    public boolean selects(StoredObject object) {
        return (namespace.isEmpty() || namespace.equals(object.namespace()))
                && labels.matches(object.labels())
                && fields.matches(object);
    }
}
