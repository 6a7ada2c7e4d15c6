package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.DocumentNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One of the lists of a kubeconfig: clusters, users or contexts. */
record KubeconfigSection(List<SectionEntry> entries) {
    /** {@code path} is for example {@code users[0].user}. */
    record SectionEntry(String name, String path, DocumentNode.Fields body) {}

    /**
     * @param list name of the list
     * @param inner name of the object in each entry
     * @param known fields of that object
     */
    static KubeconfigSection read(
            DocumentNode.Fields root, String list, String inner, Set<String> known, KubeconfigFindings refusals) {
        DocumentNode node = root.get(list);
        List<SectionEntry> entries = new ArrayList<>();
        if (isAbsent(node)) {
            return new KubeconfigSection(entries);
        }
        if (!(node instanceof DocumentNode.Items items)) {
            refusals.addInvalid(list, "must be a list, not " + describe(node), "write it as kubectl does");
            return new KubeconfigSection(entries);
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            String path = list + "[" + i + "]";
            if (!(items.nodes().get(i) instanceof DocumentNode.Fields entry)) {
                refusals.addInvalid(path, "must be an object with name and " + inner, "write it as kubectl does");
                continue;
            }
            refuseUnknown(entry, path, Set.of("name", inner), refusals);
            String name = text(entry, "name", path, refusals);
            if (name.isEmpty()) {
                refusals.addInvalid(path + ".name", "is missing", "add a name");
            } else if (!names.add(name)) {
                refusals.addInvalid(path + ".name", "is a duplicate", "use a unique name for each entry of " + list);
            }
            DocumentNode body = entry.get(inner);
            if (body instanceof DocumentNode.Fields fields) {
                String bodyPath = path + "." + inner;
                refuseUnknown(fields, bodyPath, known, refusals);
                entries.add(new SectionEntry(name, bodyPath, fields));
            } else {
                refusals.addInvalid(
                        path + "." + inner,
                        isAbsent(body) ? "is missing" : "must be an object, not " + describe(body),
                        "write it as kubectl does");
            }
        }
        return new KubeconfigSection(entries);
    }

    @Nullable SectionEntry find(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Reports unknown fields: a less strict reader may take them for a forbidden field. */
    static void refuseUnknown(DocumentNode.Fields object, String path, Set<String> known, KubeconfigFindings refusals) {
        for (DocumentNode.Field field : object.fields()) {
            if (known.contains(field.name())) {
                continue;
            }
            KubeconfigFields.RefusedField refused = KubeconfigFields.refused(field.name());
            if (refused != null) {
                refusals.addForbidden(path(path, field.name()), refused.why(), refused.cure());
            } else if (KubeconfigFields.isShowable(field.name())) {
                refusals.addInvalid(
                        path(path, field.name()),
                        "unknown field",
                        KubeconfigFields.cureForUnknown(field.name(), known));
            } else {
                refusals.addInvalid(
                        path.isEmpty() ? "the kubeconfig" : path,
                        "unknown field in line " + field.position().line(),
                        "remove it");
            }
        }
    }

    private static String path(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** An optional text; empty if absent or invalid. */
    static String text(DocumentNode.Fields object, String name, String path, KubeconfigFindings refusals) {
        DocumentNode node = object.get(name);
        if (isAbsent(node)) {
            return "";
        }
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.TEXT) {
            return scalar.text();
        }
        refusals.addInvalid(
                path(path, name), "must be a string, not " + describe(node), "put it in quotes, or correct it");
        return "";
    }

    /** An optional boolean; false if absent or invalid. */
    static boolean bool(DocumentNode.Fields object, String name, String path, KubeconfigFindings refusals) {
        DocumentNode node = object.get(name);
        if (isAbsent(node)) {
            return false;
        }
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.BOOL) {
            return isTrue(object, name);
        }
        refusals.addInvalid(path(path, name), "must be a boolean, not " + describe(node), "write true or false");
        return false;
    }

    /** Whether a boolean is present and true. */
    static boolean isTrue(DocumentNode.Fields object, String name) {
        return object.get(name) instanceof DocumentNode.Scalar scalar
                && scalar.kind() == DocumentNode.Kind.BOOL
                && scalar.text().equals("true");
    }

    /** Absent or null. */
    static boolean isAbsent(@Nullable DocumentNode node) {
        return node == null || (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL);
    }

    private static String describe(@Nullable DocumentNode node) {
        return node == null ? "nothing" : node.describe();
    }
}
