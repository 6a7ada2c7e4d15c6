package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.DeleteOptions;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.objects.WriteScope;
import io.osmhub.sim.patch.MergePatchApplier;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.StoreEvent;
import io.osmhub.sim.store.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The objects of one cluster for tests and demos in the same process: no HTTP, no authentication, no faults, not counted; otherwise
 * the rules of the API hold, and what they refuse is thrown as {@link ApiError}. Trees are copies. Safe for use by several threads.
 */
public final class SimulatedObjects {
    private static final WriteOptions OPTIONS = WriteOptions.by("simulator");

    private final ObjectOperations objects;

    SimulatedObjects(ObjectOperations objects) {
        this.objects = objects;
    }

    /** Creates an object from its JSON text. */
    public ObjectNode create(String json) {
        return create(JsonTrees.read(json));
    }

    /** Creates an object; a namespace that it names is not created along with it. */
    public ObjectNode create(ObjectNode object) {
        ResourceType type = type(JsonTrees.text(object, "apiVersion"), JsonTrees.text(object, "kind"));
        String namespace = JsonTrees.text(object, "metadata", "namespace");
        return whole(type, objects.create(type, namespace, object.deepCopy(), OPTIONS));
    }

    /** Creates an object, or leaves the one of that name as it is. */
    public ObjectNode createIfAbsent(ObjectNode object) {
        ResourceType type = type(JsonTrees.text(object, "apiVersion"), JsonTrees.text(object, "kind"));
        StoredObject found = objects.store()
                .get(
                        type.key(),
                        JsonTrees.text(object, "metadata", "namespace"),
                        JsonTrees.text(object, "metadata", "name"));
        return found == null ? create(object) : whole(type, found);
    }

    /** Replaces an object; without a resourceVersion the current one is taken. */
    public ObjectNode replace(ObjectNode object) {
        ResourceType type = type(JsonTrees.text(object, "apiVersion"), JsonTrees.text(object, "kind"));
        String namespace = JsonTrees.text(object, "metadata", "namespace");
        String name = JsonTrees.text(object, "metadata", "name");
        return whole(type, objects.patch(type, namespace, name, WriteScope.MAIN, _ -> object.deepCopy(), OPTIONS));
    }

    /** Changes an object by a merge patch. */
    public ObjectNode patch(String apiVersion, String kind, String namespace, String name, String mergePatch) {
        return patch(apiVersion, kind, namespace, name, WriteScope.MAIN, mergePatch);
    }

    /** Changes the status of an object by a merge patch with the field {@code status}. */
    public ObjectNode patchStatus(String apiVersion, String kind, String namespace, String name, String mergePatch) {
        return patch(apiVersion, kind, namespace, name, WriteScope.STATUS, mergePatch);
    }

    private ObjectNode patch(
            String apiVersion, String kind, String namespace, String name, WriteScope part, String mergePatch) {
        ResourceType type = type(apiVersion, kind);
        ObjectNode patch = JsonTrees.read(mergePatch);
        return whole(
                type,
                objects.patch(type, namespace, name, part, target -> MergePatchApplier.apply(target, patch), OPTIONS));
    }

    /** The object of that name; the namespace is empty for a cluster-scoped one. */
    public Optional<ObjectNode> get(String apiVersion, String kind, String namespace, String name) {
        ResourceType type = type(apiVersion, kind);
        return Optional.ofNullable(objects.store().get(type.key(), namespace, name))
                .map(found -> whole(type, found));
    }

    /** All objects of a kind, in one namespace or, when it is empty, in all. */
    public List<ObjectNode> list(String apiVersion, String kind, String namespace) {
        ResourceType type = type(apiVersion, kind);
        return objects.list(type, ListParameters.in(namespace, type)).items().stream()
                .map(found -> whole(type, found))
                .toList();
    }

    /** Deletes an object if it exists; finalizers hold it as usual. */
    public boolean delete(String apiVersion, String kind, String namespace, String name) {
        ResourceType type = type(apiVersion, kind);
        return objects.store().runLocked(() -> {
            if (objects.store().get(type.key(), namespace, name) == null) {
                return false;
            }
            objects.delete(type, namespace, name, DeleteOptions.NONE);
            return true;
        });
    }

    /** Tells every later change of any kind, in order and while nothing else can change: an observer must be quick and must not write. */
    public void observe(Consumer<StoreEvent> observer) {
        objects.store().observe(observer);
    }

    /** The revision of the last change in the cluster. */
    public long revision() {
        return objects.store().revision();
    }

    /** Forgets the history: watches that resume from an older revision get 410. */
    public void compact() {
        objects.store().compact();
    }

    private ResourceType type(String apiVersion, String kind) {
        return objects.catalog()
                .of(apiVersion, kind)
                .map(EventConversion::storedAs)
                .orElseThrow(() -> new IllegalArgumentException("unknown kind %s of %s".formatted(kind, apiVersion)));
    }

    private static ObjectNode whole(ResourceType type, StoredObject object) {
        return JsonTrees.readOwn(type.whole(object.body()));
    }
}
