package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.tenancy.wire.ObjectHead;
import java.util.ArrayList;
import java.util.List;

/**
 * A CustomResourceDefinition as found.
 *
 * @param revision of the hub's schema; 0 when it is not the hub's
 * @param manager who wrote it last, for messages
 * @param keepsStatus it has a status subresource
 * @param templateEngine its schema keeps {@code spec.templateEngine}
 */
public record FoundDefinition(
        ShippedDefinition definition, int revision, String manager, boolean keepsStatus, boolean templateEngine) {

    /** @param object as stored */
    public static FoundDefinition of(ShippedDefinition definition, JsonNode object) {
        ObjectHead head = ObjectHead.of(object);
        JsonNode version = served(object);
        return new FoundDefinition(
                definition,
                revision(head.annotations().getOrDefault(CustomResourceDefinition.REVISION_ANNOTATION, "")),
                head.lastWriter() == null ? "another writer" : head.lastWriter(),
                version.path("subresources").has("status"),
                keeps(version.at("/schema/openAPIV3Schema/properties/spec"), "templateEngine"));
    }

    /** The one version that the hub speaks. */
    private static JsonNode served(JsonNode object) {
        for (JsonNode version : object.path("spec").path("versions")) {
            if (version.path("name").asText().equals("v1alpha1")) {
                return version;
            }
        }
        return object.path("none");
    }

    private static boolean keeps(JsonNode schema, String field) {
        return schema.path("properties").has(field)
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
    }

    private static int revision(String text) {
        if (text.isEmpty() || text.length() > 6) {
            return 0;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return 0;
            }
        }
        return Integer.parseInt(text);
    }

    /** Written by somebody else: it is never changed. */
    public boolean foreign() {
        return revision == 0;
    }

    /** What the hub's own has and this one has not; empty when nothing. */
    public List<String> lacks() {
        List<String> lacks = new ArrayList<>();
        if (!keepsStatus) {
            lacks.add("a status subresource");
        }
        if (definition == ShippedDefinition.OPERATING_SYSTEM_PROFILES && !templateEngine) {
            lacks.add("spec.templateEngine");
        }
        return List.copyOf(lacks);
    }
}
