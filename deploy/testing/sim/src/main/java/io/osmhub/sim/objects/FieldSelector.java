package io.osmhub.sim.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A field selector, {@code metadata.name=x,type!=Opaque}, over the fields that each kind allows. */
record FieldSelector(List<Term> terms) {
    private static final Map<String, Set<String>> MORE_FIELDS = Map.of(
            "Secret",
            Set.of("type"),
            "Namespace",
            Set.of("status.phase"),
            "Node",
            Set.of("spec.unschedulable"),
            "Pod",
            Set.of("spec.nodeName", "status.phase"),
            "Event",
            Set.of(("involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid "
                            + "involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath "
                            + "regarding.kind regarding.namespace regarding.name regarding.uid "
                            + "reason reportingComponent reportingController source type")
                    .split(" ")));

    private record Term(String field, boolean equal, String value) {}

    /** Parses a selector for one kind; an empty one selects everything. */
    static FieldSelector parse(String text, ResourceType type) {
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",")) {
            if (!part.isBlank()) {
                terms.add(term(part.strip(), text, type));
            }
        }
        return new FieldSelector(terms);
    }

    private static Term term(String part, String whole, ResourceType type) {
        int at = part.indexOf('=');
        if (at <= 0) {
            throw ApiError.badRequest("invalid selector: '%s'; can't understand '%s'".formatted(whole, part));
        }
        boolean equal = part.charAt(at - 1) != '!';
        String field = part.substring(0, equal ? at : at - 1);
        Set<String> more = type.builtIn() ? MORE_FIELDS.getOrDefault(type.kind(), Set.of()) : Set.of();
        boolean known = field.equals("metadata.name")
                || (field.equals("metadata.namespace") && type.namespaced())
                || more.contains(field);
        if (!known) {
            throw ApiError.badRequest(
                    type.builtIn() && more.isEmpty()
                            ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                                    .formatted(field)
                            : "field label not supported: " + field);
        }
        return new Term(field, equal, part.substring(part.startsWith("==", at) ? at + 2 : at + 1));
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    /** Parses the object only for fields other than name and namespace. */
    boolean matches(StoredObject object) {
        return terms.stream().allMatch(term -> valueOf(term.field(), object).equals(term.value()) == term.equal());
    }

    private static String valueOf(String field, StoredObject object) {
        // Events are stored as core v1; the other names are those of events.k8s.io.
        return switch (field) {
            case "metadata.name" -> object.name();
            case "metadata.namespace" -> object.namespace();
            case "source" -> JsonTrees.text(object.tree(), "source", "component");
            case "reportingController" -> JsonTrees.text(object.tree(), "reportingComponent");
            case "spec.unschedulable" ->
                String.valueOf(
                        JsonTrees.at(object.tree(), "spec", "unschedulable").asBoolean());
            default -> {
                String stored = field.replaceFirst("^regarding\\.", "involvedObject.");
                yield JsonTrees.text(object.tree(), stored.split("\\."));
            }
        };
    }
}
