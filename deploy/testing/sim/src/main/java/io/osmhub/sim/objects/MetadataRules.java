package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules of the metadata of every kind: names, labels, annotations, finalizers, owners. */
final class MetadataRules {
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern QUALIFIED =
            Pattern.compile("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)");
    private static final List<String> STANDARD_FINALIZERS = List.of("kubernetes", "orphan", "foregroundDeletion");
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;
    private static final String SUBDOMAIN_WORDS =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with "
                    + "an alphanumeric character (e.g. 'example.com', regex used for validation is "
                    + "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    private MetadataRules() {}

    /** The invalid fields, in a mutable list. {@code old} is null on create. */
    static List<Cause> check(ResourceType type, @Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        JsonNode metadata = written.path("metadata");
        if (old == null) {
            checkName(type, JsonTrees.text(metadata, "name"), causes);
        }
        checkLabels(metadata.path("labels"), causes);
        int annotationBytes = 0;
        for (Map.Entry<String, JsonNode> each : metadata.path("annotations").properties()) {
            annotationBytes += each.getKey().length() + each.getValue().asText().length();
            // Annotation keys may have upper-case letters.
            if (!QUALIFIED
                    .matcher(each.getKey().toLowerCase(java.util.Locale.ROOT))
                    .matches()) {
                causes.add(invalid(
                        "metadata.annotations", each.getKey(), "name part must consist of alphanumeric characters"));
            }
        }
        if (annotationBytes > MAX_ANNOTATION_BYTES) {
            causes.add(new Cause(
                    "metadata.annotations",
                    "FieldValueTooLong",
                    "Too long: may not be more than %d bytes".formatted(MAX_ANNOTATION_BYTES)));
        }
        checkFinalizers(type, old, metadata, causes);
        checkOwners(metadata.path("ownerReferences"), causes);
        return causes;
    }

    private static void checkName(ResourceType type, String name, List<Cause> causes) {
        boolean rbac = type.group().equals("rbac.authorization.k8s.io");
        if (rbac) {
            if (name.equals(".") || name.equals("..") || name.contains("/") || name.contains("%")) {
                causes.add(invalid("metadata.name", name, "may not be '.', '..' or contain '/' or '%'"));
            }
        } else if (type.key().plural().equals("namespaces") && type.builtIn()) {
            if (name.length() > 63 || !LABEL.matcher(name).matches()) {
                causes.add(invalid(
                        "metadata.name",
                        name,
                        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
                                + "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
                                + "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
            }
        } else if (!SUBDOMAIN.matcher(name).matches()) {
            causes.add(invalid("metadata.name", name, SUBDOMAIN_WORDS));
        } else if (name.length() > 253) {
            causes.add(invalid("metadata.name", name, "must be no more than 253 characters"));
        }
    }

    private static void checkLabels(JsonNode labels, List<Cause> causes) {
        for (Map.Entry<String, JsonNode> each : labels.properties()) {
            String value = each.getValue().asText();
            if (!QUALIFIED.matcher(each.getKey()).matches()) {
                causes.add(
                        invalid(
                                "metadata.labels",
                                each.getKey(),
                                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"));
            }
            if (value.length() > 63) {
                causes.add(invalid("metadata.labels", value, "must be no more than 63 bytes"));
            } else if (!LABEL_VALUE.matcher(value).matches()) {
                causes.add(invalid(
                        "metadata.labels",
                        value,
                        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end "
                                + "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
                                + "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
            }
        }
    }

    private static String qualifiedWords(String name) {
        boolean tooManyParts = name.indexOf('/') != name.lastIndexOf('/');
        String rule =
                "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
                        + "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
        return tooManyParts
                ? "a qualified name " + rule
                        + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
                : "name part " + rule;
    }

    private static void checkFinalizers(
            ResourceType type, @Nullable ObjectNode old, JsonNode metadata, List<Cause> causes) {
        List<String> now = JsonTrees.texts(metadata.path("finalizers"));
        for (int i = 0; i < now.size(); i++) {
            String each = now.get(i);
            String field = "metadata.finalizers[%d]".formatted(i);
            if (!QUALIFIED.matcher(each).matches()) {
                causes.add(invalid("metadata.finalizers", each, qualifiedWords(each)));
            } else if (type.group().isEmpty() && !each.contains("/") && !STANDARD_FINALIZERS.contains(each)) {
                causes.add(invalid(field, each, "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
        if (old != null && old.path("metadata").has("deletionTimestamp")) {
            List<String> added = new ArrayList<>(now);
            added.removeAll(JsonTrees.texts(JsonTrees.at(old, "metadata", "finalizers")));
            if (!added.isEmpty()) {
                causes.add(new Cause(
                        "metadata.finalizers",
                        "FieldValueForbidden",
                        "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"%s\"}"
                                .formatted(String.join("\", \"", added))));
            }
        }
    }

    private static void checkOwners(JsonNode owners, List<Cause> causes) {
        for (JsonNode owner : owners) {
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (JsonTrees.text(owner, field).isEmpty()) {
                    causes.add(invalid("metadata.ownerReferences." + field, "", "must not be empty"));
                }
            }
        }
    }

    /** Labels and annotations must be strings: the real server cannot decode anything else. */
    static void checkShape(JsonNode metadata) {
        for (String field : List.of("labels", "annotations")) {
            for (Map.Entry<String, JsonNode> each : metadata.path(field).properties()) {
                if (!each.getValue().isTextual()) {
                    throw ApiError.badRequest(
                            "json: cannot unmarshal %s into Go struct field ObjectMeta.metadata.%s of type string"
                                    .formatted(
                                            each.getValue().getNodeType().name().toLowerCase(java.util.Locale.ROOT),
                                            field));
                }
            }
        }
    }

    private static Cause invalid(String field, String value, String why) {
        return Cause.invalid(field, "\"%s\": %s".formatted(value, why));
    }
}
