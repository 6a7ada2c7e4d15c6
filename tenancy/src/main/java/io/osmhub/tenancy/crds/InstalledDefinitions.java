package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.tenancy.wire.ObjectMetadata;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The installed CustomResourceDefinitions.
 *
 * @param found by definition; missing ones are absent
 */
public record InstalledDefinitions(Map<ShippedDefinition, InstalledDefinition> found) {
    public InstalledDefinitions {
        found = found.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(found));
    }

    /** Assumed until read: everything as shipped. */
    public static InstalledDefinitions asShipped() {
        Map<ShippedDefinition, InstalledDefinition> all = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            all.put(definition, new InstalledDefinition(definition, 1, "osm-hub", true, true));
        }
        return new InstalledDefinitions(all);
    }

    /** Replaces one; null if it is not installed. */
    public InstalledDefinitions with(ShippedDefinition definition, @Nullable InstalledDefinition one) {
        Map<ShippedDefinition, InstalledDefinition> all = new EnumMap<>(ShippedDefinition.class);
        all.putAll(found);
        if (one == null) {
            all.remove(definition);
        } else {
            all.put(definition, one);
        }
        return new InstalledDefinitions(all);
    }

    public boolean isInstalled(ShippedDefinition definition) {
        return found.containsKey(definition);
    }

    public boolean hasStatusSubresource(ShippedDefinition definition) {
        InstalledDefinition one = found.get(definition);
        return one != null && one.hasStatusSubresource();
    }

    /** A problem of one definition to report. */
    public record DefinitionProblem(String definition, Reason reason, String message) {}

    /** Problems of definitions by other managers that lack parts of the hub's. */
    public List<DefinitionProblem> problems() {
        List<DefinitionProblem> problems = new ArrayList<>();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition one = found.get(definition);
            DefinitionProblem problem = one == null ? null : problem(one);
            if (problem != null) {
                problems.add(problem);
            }
        }
        return List.copyOf(problems);
    }

    /** Returns null if it has everything that the hub needs. */
    public static @Nullable DefinitionProblem problem(InstalledDefinition one) {
        if (one.missingFields().isEmpty()) {
            return null;
        }
        return new DefinitionProblem(
                one.definition().definitionName(),
                Reason.CRDForeignManaged,
                Reason.CRDForeignManaged.with(
                                "crd", one.definition().definitionName(),
                                "manager", one.manager(),
                                "what", String.join(" and ", one.missingFields()))
                        .message());
    }

    /**
     * An installed CustomResourceDefinition.
     *
     * @param revision of the hub's schema; 0 if it is not the hub's
     * @param manager last writer, for messages
     * @param hasStatusSubresource whether it has a status subresource
     * @param templateEngine whether its schema contains {@code spec.templateEngine}
     */
    public record InstalledDefinition(
            ShippedDefinition definition,
            int revision,
            String manager,
            boolean hasStatusSubresource,
            boolean templateEngine) {

        /** @param object as stored */
        public static InstalledDefinition of(ShippedDefinition definition, JsonNode object) {
            ObjectMetadata head = ObjectMetadata.of(object);
            JsonNode version = served(object);
            return new InstalledDefinition(
                    definition,
                    revision(head.annotations().getOrDefault(CustomResourceDefinition.REVISION_ANNOTATION, "")),
                    head.lastWriter() == null ? "another writer" : head.lastWriter(),
                    version.path("subresources").has("status"),
                    keeps(version.at("/schema/openAPIV3Schema/properties/spec"), "templateEngine"));
        }

        /** The version that the hub uses. */
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

        /** Managed by another writer: never changed. */
        public boolean isForeign() {
            return revision == 0;
        }

        /** What this definition lacks compared with the hub's. */
        public List<String> missingFields() {
            List<String> lacks = new ArrayList<>();
            if (!hasStatusSubresource) {
                lacks.add("a status subresource");
            }
            if (definition == ShippedDefinition.OPERATING_SYSTEM_PROFILES && !templateEngine) {
                lacks.add("spec.templateEngine");
            }
            return List.copyOf(lacks);
        }
    }
}
