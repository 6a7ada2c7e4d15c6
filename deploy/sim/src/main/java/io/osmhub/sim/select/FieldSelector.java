package io.osmhub.sim.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.status.ApiError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A field selector, {@code metadata.name=x,type!=Opaque}, over the fields that each kind allows. */
public final class FieldSelector {
    private static final Map<String, Set<String>> MORE_FIELDS = Map.of(
            "Secret", Set.of("type"),
            "Namespace", Set.of("status.phase"),
            "Node", Set.of("spec.unschedulable"),
            "Pod", Set.of("spec.nodeName", "status.phase"),
            "Event",
                    Set.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "regarding.kind",
                            "regarding.namespace",
                            "regarding.name",
                            "regarding.uid",
                            "reason",
                            "reportingComponent",
                            "reportingController",
                            "source",
                            "type"));

    private record Term(String field, boolean equal, String value) {}

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /** Reads a selector for one kind; empty selects everything. */
    public static FieldSelector parse(String text, ResourceType type) {
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
        String value = part.substring(part.startsWith("==", at) ? at + 2 : at + 1);
        boolean known = field.equals("metadata.name")
                || (field.equals("metadata.namespace") && type.namespaced())
                || (type.traits().builtIn()
                        && MORE_FIELDS.getOrDefault(type.kind(), Set.of()).contains(field));
        if (!known) {
            boolean lax = type.traits().builtIn() && !MORE_FIELDS.containsKey(type.kind());
            throw ApiError.badRequest(
                    lax
                            ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                                    .formatted(field)
                            : "field label not supported: " + field);
        }
        return new Term(field, equal, value);
    }

    /** Whether it selects everything. */
    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** Whether an object is selected; its tree is asked for only when a field beyond name and namespace matters. */
    public boolean matches(String namespace, String name, Supplier<? extends JsonNode> tree) {
        for (Term term : terms) {
            String found =
                    switch (term.field()) {
                        case "metadata.name" -> name;
                        case "metadata.namespace" -> namespace;
                        default -> other(tree.get(), term.field());
                    };
            if (found.equals(term.value()) != term.equal()) {
                return false;
            }
        }
        return true;
    }

    private static String other(JsonNode tree, String field) {
        // Events are stored as core v1; the other names are those of events.k8s.io.
        return switch (field) {
            case "source" -> JsonTrees.text(tree, "source", "component");
            case "reportingController" -> JsonTrees.text(tree, "reportingComponent");
            case "spec.unschedulable" ->
                String.valueOf(JsonTrees.at(tree, "spec", "unschedulable").asBoolean());
            default ->
                JsonTrees.text(
                        tree,
                        field.replaceFirst("^regarding\\.", "involvedObject.").split("\\."));
        };
    }
}
