package io.osmhub.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.JsonPatches;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ObjectOperations.DeleteOptions;
import io.osmhub.sim.objects.ObjectOperations.WriteOptions;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import io.osmhub.sim.objects.WriteScope;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Direct access to the objects of one cluster for tests and demos in the same process: without HTTP, authentication, faults and counters,
 * but with the rules of the API, whose errors are thrown as {@link ApiError}. Trees are copies. Thread-safe.
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

    /** Creates an object, but not its namespace. */
    public ObjectNode create(ObjectNode object) {
        ResourceType type = type(object);
        return whole(type, objects.create(type, namespace(object), object.deepCopy(), OPTIONS));
    }

    /** Creates an object unless there is one with its name. */
    public ObjectNode createIfAbsent(ObjectNode object) {
        ResourceType type = type(object);
        StoredObject found = objects.store().get(type.key(), namespace(object), name(object));
        return found == null ? create(object) : whole(type, found);
    }

    void createIfAbsent(List<ObjectNode> all) {
        all.forEach(this::createIfAbsent);
    }

    /** Replaces an object, at any revision unless it names a resourceVersion. */
    public ObjectNode replace(ObjectNode object) {
        return patch(type(object), namespace(object), name(object), WriteScope.MAIN, _ -> object.deepCopy());
    }

    /** Changes an object with a merge patch. */
    public ObjectNode patch(String apiVersion, String kind, String namespace, String name, String mergePatch) {
        return mergePatch(type(apiVersion, kind), namespace, name, WriteScope.MAIN, mergePatch);
    }

    /** Changes the status of an object with a merge patch with the field {@code status}. */
    public ObjectNode patchStatus(String apiVersion, String kind, String namespace, String name, String mergePatch) {
        return mergePatch(type(apiVersion, kind), namespace, name, WriteScope.STATUS, mergePatch);
    }

    private ObjectNode mergePatch(
            ResourceType type, String namespace, String name, WriteScope scope, String mergePatch) {
        ObjectNode patch = JsonTrees.read(mergePatch);
        return patch(type, namespace, name, scope, target -> JsonPatches.applyMergePatch(target, patch));
    }

    private ObjectNode patch(
            ResourceType type, String namespace, String name, WriteScope scope, UnaryOperator<ObjectNode> change) {
        return whole(type, objects.patch(type, namespace, name, scope, change, OPTIONS));
    }

    /** The object, if it exists; the namespace is empty for a cluster-scoped one. */
    public Optional<ObjectNode> get(String apiVersion, String kind, String namespace, String name) {
        ResourceType type = type(apiVersion, kind);
        return Optional.ofNullable(objects.store().get(type.key(), namespace, name))
                .map(found -> whole(type, found));
    }

    /** All objects of a kind, in one namespace or, if it is empty, in all. */
    public List<ObjectNode> list(String apiVersion, String kind, String namespace) {
        ResourceType type = type(apiVersion, kind);
        return objects.list(type, ListParameters.in(namespace, type)).items().stream()
                .map(found -> whole(type, found))
                .toList();
    }

    /** Deletes an object as the API does, with finalizers; false if it does not exist. */
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

    /** Notifies an observer of every later change, in order, under the lock of the store: it must not block and must not write. */
    public void observe(Consumer<StoreEvent> observer) {
        objects.store().observe(observer);
    }

    /** The revision of the cluster's last change. */
    public long revision() {
        return objects.store().revision();
    }

    /** Discards the history: watches that resume from an older revision get 410. */
    public void compact() {
        objects.store().compact();
    }

    private ResourceType type(JsonNode object) {
        return type(JsonTrees.text(object, "apiVersion"), JsonTrees.text(object, "kind"));
    }

    private ResourceType type(String apiVersion, String kind) {
        return objects.catalog()
                .of(apiVersion, kind)
                .map(EventConversion::storedAs)
                .orElseThrow(() -> new IllegalArgumentException("unknown kind %s of %s".formatted(kind, apiVersion)));
    }

    private static String namespace(JsonNode object) {
        return JsonTrees.text(object, "metadata", "namespace");
    }

    private static String name(JsonNode object) {
        return JsonTrees.text(object, "metadata", "name");
    }

    private static ObjectNode whole(ResourceType type, StoredObject object) {
        return JsonTrees.readOwn(type.whole(object.body()));
    }
}
