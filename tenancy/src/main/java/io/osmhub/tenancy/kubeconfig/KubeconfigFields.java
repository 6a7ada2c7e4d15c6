package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a kubeconfig by an allow-list. All other fields are reported, also where the hub would not read them:
 * another reader of the same Secret may use them, or take an unknown one for a forbidden one.
 *
 * @param lifted rules whose fields are allowed in this kubeconfig, as texts
 */
record KubeconfigFields(KubeconfigFindings findings, Set<FieldRule> lifted) {
    // A token without its colon looks like a name; names of real fields match this and are short.
    private static final Pattern SHOWABLE = Pattern.compile("[A-Za-z]+(-[A-Za-z]+)*+");
    private static final int LONGEST_SHOWN = 40;

    /**
     * Reads the texts and booleans of an object.
     *
     * @param kind as in {@link FieldRule}
     * @param path of the object; empty for the whole kubeconfig
     */
    Map<String, String> read(DocumentNode.Fields object, String kind, String path) {
        Map<String, String> values = new HashMap<>();
        for (DocumentNode.Field field : object.fields()) {
            FieldRule known = FieldRule.of(kind, field.name());
            FieldRule rule = known == null ? FieldRule.resembling(field.name()) : known;
            if (rule == null || (known == null && lifted.contains(rule))) {
                addUnknown(field, kind, path);
            } else if (rule.why().isEmpty() || lifted.contains(rule)) {
                addValue(rule, field, path, values);
            } else if (known == null || isSet(rule, field.value())) {
                findings.addForbidden(join(path, field), rule.why(), rule.cure());
            }
        }
        return values;
    }

    /** An empty text, list or object counts as absent; for a program, only null does. */
    private static boolean isSet(FieldRule rule, DocumentNode value) {
        return rule == FieldRule.PROGRAM
                ? !isAbsent(value)
                : switch (value) {
                    case DocumentNode.Scalar scalar -> !scalar.text().isEmpty();
                    case DocumentNode.Items items -> !items.nodes().isEmpty();
                    case DocumentNode.Fields fields -> !fields.fields().isEmpty();
                };
    }

    /** Absent or null. */
    static boolean isAbsent(@Nullable DocumentNode node) {
        return node == null || (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL);
    }

    private void addValue(FieldRule rule, DocumentNode.Field field, String path, Map<String, String> values) {
        boolean text = rule != FieldRule.BOOLEAN;
        if (rule == FieldRule.ANY || isAbsent(field.value())) {
            return;
        }
        if (field.value() instanceof DocumentNode.Scalar scalar
                && scalar.kind() == (text ? DocumentNode.Kind.TEXT : DocumentNode.Kind.BOOL)) {
            values.put(field.name(), scalar.text());
            return;
        }
        findings.addInvalid(
                join(path, field),
                "must be " + (text ? "a string" : "a boolean") + ", not "
                        + field.value().describe(),
                text ? "put it in quotes, or correct it" : "write true or false");
    }

    private void addUnknown(DocumentNode.Field field, String kind, String path) {
        String name = field.name();
        if (name.length() <= LONGEST_SHOWN && SHOWABLE.matcher(name).matches()) {
            String near = FindingsCollector.suggestClosest(name, FieldRule.allowedIn(kind, lifted));
            findings.addInvalid(join(path, field), "unknown field", near.isEmpty() ? "remove it" : near);
        } else {
            findings.addInvalid(
                    path.isEmpty() ? "the kubeconfig" : path,
                    "unknown field in line " + field.position().line(),
                    "remove it");
        }
    }

    private static String join(String path, DocumentNode.Field field) {
        return path.isEmpty() ? field.name() : path + "." + field.name();
    }
}
