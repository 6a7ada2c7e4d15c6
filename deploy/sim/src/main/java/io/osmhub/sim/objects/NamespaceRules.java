package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import org.jspecify.annotations.Nullable;

/** Namespaces: phase, finalizer and the label that carries the name. */
final class NamespaceRules implements KindRules {
    @Override
    public void complete(ObjectNode created) {
        JsonTrees.child(created, "spec").putArray("finalizers").add("kubernetes");
        created.putObject("status").put("phase", "Active");
    }

    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        ObjectNode metadata = JsonTrees.child(written, "metadata");
        JsonTrees.child(metadata, "labels").put("kubernetes.io/metadata.name", JsonTrees.text(metadata, "name"));
    }
}
