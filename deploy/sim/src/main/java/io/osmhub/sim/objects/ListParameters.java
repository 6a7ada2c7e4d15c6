package io.osmhub.sim.objects;

import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.select.FieldSelector;
import io.osmhub.sim.select.LabelSelectorMatcher;
import io.osmhub.sim.store.StoredObject;

/** What a list or watch is asked for. An empty namespace means all; {@code limit} 0 means everything; {@code token} continues an earlier page. */
public record ListParameters(
        String namespace, LabelSelectorMatcher labels, FieldSelector fields, int limit, String token) {
    /** All objects of one namespace, or of all when it is empty. */
    public static ListParameters in(String namespace, ResourceType type) {
        return new ListParameters(namespace, LabelSelectorMatcher.EVERYTHING, FieldSelector.parse("", type), 0, "");
    }

    /** Whether an object is asked for. */
    public boolean selects(StoredObject object) {
        return (namespace.isEmpty() || namespace.equals(object.namespace()))
                && labels.matches(object.labels())
                && fields.matches(object.namespace(), object.name(), object::tree);
    }
}
