package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StoredStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The installed CustomResourceDefinitions.
 *
 * @param found by definition; missing ones are absent
 */
public record InstalledDefinitions(Map<ShippedDefinition, InstalledDefinition> found) {
    private static final Logger LOG = LoggerFactory.getLogger(InstalledDefinitions.class);
    private static final String VERSION = "v1alpha1";

    public InstalledDefinitions {
        found = found.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(found));
    }

    /** Assumed until read: everything as shipped. */
    public static InstalledDefinitions asShipped() {
        Map<ShippedDefinition, InstalledDefinition> all = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            all.put(definition, InstalledDefinition.asShipped(definition, 1));
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

    /** Whether all that the hub needs are installed; it works without extensions. */
    public boolean isComplete() {
        return Stream.of(ShippedDefinition.values())
                .allMatch(definition ->
                        definition == ShippedDefinition.PROFILE_EXTENSIONS || found.containsKey(definition));
    }

    public boolean hasStatusSubresource(ShippedDefinition definition) {
        InstalledDefinition one = found.get(definition);
        return one != null && one.hasStatusSubresource();
    }

    /** Whether one exists but is not served, as while it is being deleted. */
    public boolean isBeingRemoved(ShippedDefinition definition) {
        InstalledDefinition one = found.get(definition);
        return one != null && !one.served();
    }

    /** A problem of one definition to report. */
    public record DefinitionProblem(String definition, Problem problem) {
        public Reason reason() {
            return problem.reason();
        }

        public String message() {
            return problem.message();
        }
    }

    /** Logs who manages the definitions, where statuses are stored, and what the schemas prune, as far as it changed. */
    public void logChanges(InstalledDefinitions before) {
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            String now = describe(definition);
            if (!now.equals(before.describe(definition))) {
                LOG.info("CustomResourceDefinition {} {}", definition.definitionName(), now);
            }
        }
        problems().stream()
                .filter(problem -> !before.problems().contains(problem))
                .forEach(problem -> LOG.warn("{}", problem.message()));
    }

    private String describe(ShippedDefinition definition) {
        InstalledDefinition one = found.get(definition);
        return one == null
                ? "is not installed"
                : "is managed by " + (one.isForeign() ? one.manager() : "osm-hub") + "; statuses are stored in "
                        + (one.hasStatusSubresource()
                                ? "the status subresource"
                                : "annotation " + StoredStatus.ANNOTATION);
    }

    /** Problems of definitions by other managers that prune fields of OSM. */
    public List<DefinitionProblem> problems() {
        return Stream.of(ShippedDefinition.values())
                .map(found::get)
                .filter(Objects::nonNull)
                .map(InstalledDefinitions::problem)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns null if its schema has all fields. */
    public static @Nullable DefinitionProblem problem(InstalledDefinition one) {
        if (one.missingFields().isEmpty()) {
            return null;
        }
        return new DefinitionProblem(
                one.definition().definitionName(),
                Reason.CRDForeignManaged.with(
                        "crd", one.definition().definitionName(),
                        "manager", one.manager(),
                        "what", String.join(", ", one.missingFields())));
    }

    /**
     * An installed CustomResourceDefinition.
     *
     * @param revision of the hub's schema; 0 without the hub's annotation
     * @param manager last writer, for messages
     * @param served whether objects can be created; what depends on that is tried again when it changes
     * @param hasStatusSubresource whether it stores a status
     * @param missingFields paths of the shipped schema that it would prune, sorted as there
     */
    public record InstalledDefinition(
            ShippedDefinition definition,
            int revision,
            String manager,
            boolean served,
            boolean hasStatusSubresource,
            List<String> missingFields) {
        public InstalledDefinition {
            missingFields = List.copyOf(missingFields);
        }

        static InstalledDefinition asShipped(ShippedDefinition definition, int revision) {
            return new InstalledDefinition(definition, revision, "osm-hub", true, true, List.of());
        }

        /** @param object as stored */
        public static InstalledDefinition of(ShippedDefinition definition, JsonNode object) {
            ObjectMetadata head = ObjectMetadata.of(object);
            JsonNode version = served(object);
            JsonNode schema = version.at("/schema/openAPIV3Schema");
            List<String> missing = new ArrayList<>();
            if (version.isMissingNode()) {
                missing.add("version " + VERSION);
            } else {
                JsonNode shipped = served(definition.manifest()).at("/schema/openAPIV3Schema");
                addMissing(
                        "spec", shipped.at("/properties/spec"), schema.at("/properties/spec"), isOpen(schema), missing);
            }
            JsonNode status = schema.at("/properties/status");
            return new InstalledDefinition(
                    definition,
                    revision(head.annotations().getOrDefault(SchemaRevision.ANNOTATION, "")),
                    head.lastWriter() == null ? "another writer" : head.lastWriter(),
                    !head.isBeingDeleted() && isEstablished(object),
                    version.path("subresources").has("status")
                            && (isOpen(schema)
                                    || isOpen(status)
                                    || status.path("properties").has("conditions")),
                    missing);
        }

        private static boolean isEstablished(JsonNode object) {
            return object.at("/status/conditions")
                    .valueStream()
                    .anyMatch(condition -> condition.path("type").asText().equals("Established")
                            && condition.path("status").asText().equals("True"));
        }

        /** The version that the hub uses. */
        private static JsonNode served(JsonNode object) {
            for (JsonNode version : object.path("spec").path("versions")) {
                if (version.path("name").asText().equals(VERSION)) {
                    return version;
                }
            }
            return object.path("none");
        }

        /** Adds the paths below {@code path} that one schema prunes and the shipped one does not; the topmost only. */
        private static void addMissing(
                String path, JsonNode shipped, JsonNode found, boolean open, List<String> missing) {
            if (open || isOpen(found)) {
                return;
            }
            if (found.isMissingNode()) {
                missing.add(path);
                return;
            }
            shipped.path("properties")
                    .properties()
                    .forEach(field -> addMissing(
                            path + "." + field.getKey(),
                            field.getValue(),
                            found.path("properties").path(field.getKey()),
                            false,
                            missing));
            if (shipped.path("items").isObject()) {
                addMissing(path + "[]", shipped.path("items"), found.path("items"), false, missing);
            }
        }

        private static boolean isOpen(JsonNode schema) {
            return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        }

        private static int revision(String text) {
            return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        }

        /**
         * Managed by another writer: never changed. Another product that applies its definition over the hub's leaves the hub's
         * annotation and replaces the version, with its status subresource.
         */
        public boolean isForeign() {
            return revision == 0 || !hasStatusSubresource;
        }
    }
}
