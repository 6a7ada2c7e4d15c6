package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.util.List;

/** Rejects writes that do not fit their path, their object or their preconditions. */
final class WriteValidator {
    private WriteValidator() {}

    static void checkIdentity(ResourceType type, String namespace, String name, ObjectNode body) {
        checkBody(type, body);
        ObjectNode metadata = JsonTrees.child(body, "metadata");
        checkNamespace(type, namespace, metadata);
        String named = JsonTrees.text(metadata, "name");
        if (!named.equals(name)) {
            throw ApiError.badRequest(
                    named.isEmpty()
                            ? "name must be provided"
                            : "the name of the object (%s) does not match the name on the URL (%s)"
                                    .formatted(named, name));
        }
    }

    static void checkBody(ResourceType type, ObjectNode body) {
        String apiVersion = JsonTrees.text(body, "apiVersion");
        String kind = JsonTrees.text(body, "kind");
        if (!kind.isEmpty() && !kind.equals(type.kind()) && !type.builtIn()) {
            Cause wrong = Cause.invalid("kind", "\"%s\": must be %s".formatted(kind, type.kind()));
            throw ApiError.invalid(type.group(), type.kind(), JsonTrees.text(body, "metadata", "name"), List.of(wrong));
        }
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            throw ApiError.badRequest(
                    "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered here"
                            .formatted(kind, apiVersion, type.kind(), kind));
        }
        if (!apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion())) {
            throw ApiError.badRequest("the API version in the data (%s) does not match the expected API version (%s)"
                    .formatted(apiVersion, type.apiVersion()));
        }
    }

    static void checkNamespace(ResourceType type, String namespace, ObjectNode metadata) {
        String named = JsonTrees.text(metadata, "namespace");
        if (!named.isEmpty() && !named.equals(namespace)) {
            throw ApiError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (type.namespaced()) {
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
    }

    static void refuseStale(ResourceType type, ObjectNode before, ObjectNode metadata) {
        String name = JsonTrees.text(before, "name");
        String uid = JsonTrees.text(metadata, "uid");
        if (!uid.isEmpty() && !uid.equals(JsonTrees.text(before, "uid"))) {
            throw ApiError.conflict(
                    type.key(),
                    name,
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, JsonTrees.text(before, "uid")));
        }
        String revision = JsonTrees.text(metadata, "resourceVersion");
        if (!revision.isEmpty() && !revision.equals(JsonTrees.text(before, "resourceVersion"))) {
            throw ApiError.conflict(
                    type.key(),
                    name,
                    "the object has been modified; please apply your changes to the latest version and try again");
        }
        metadata.set("resourceVersion", before.get("resourceVersion"));
    }

    /** {@code what} names the precondition, {@code cause} a possible reason. */
    static void checkPrecondition(
            ResourceType type, String name, String what, String wanted, String found, String cause) {
        if (!wanted.isEmpty() && !wanted.equals(found)) {
            throw ApiError.conflict(
                    new ResourceKey(type.group(), type.kind()),
                    name,
                    "the %1$s in the precondition (%2$s) does not match the %1$s in record (%3$s). The object might have been %4$s"
                            .formatted(what, wanted, found, cause));
        }
    }

    /** The real server reports fields of another type than the schema's as its own error. */
    static void checkTyped(ResourceType type, ObjectNode applied) {
        CustomResourceSchema schema = type.schema();
        String mistake = schema == null ? "" : schema.findTypeError(applied);
        if (!mistake.isEmpty()) {
            throw ApiError.unclassified("failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
                    .formatted(
                            JsonTrees.text(applied, "metadata", "namespace"),
                            JsonTrees.text(applied, "metadata", "name"),
                            type.apiVersion(),
                            type.kind(),
                            mistake));
        }
    }
}
