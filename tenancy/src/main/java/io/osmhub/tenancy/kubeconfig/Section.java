package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One of the three lists of a kubeconfig: clusters, users or contexts, with their names. */
record Section(List<Entry> entries) {
    /** {@code path} is for example {@code users[0].user}. */
    record Entry(String name, String path, Node.Fields body) {}

    /**
     * @param list name of the list
     * @param inner name of the object beside an entry's name
     * @param known fields of that object
     */
    static Section read(Node.Fields root, String list, String inner, Set<String> known, Refusals refusals) {
        Node node = root.get(list);
        List<Entry> entries = new ArrayList<>();
        if (isAbsent(node)) {
            return new Section(entries);
        }
        if (!(node instanceof Node.Items items)) {
            refusals.invalid(list, "must be a list, not " + describe(node), "write it as kubectl does");
            return new Section(entries);
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            String path = list + "[" + i + "]";
            if (!(items.nodes().get(i) instanceof Node.Fields entry)) {
                refusals.invalid(path, "must be an object with name and " + inner, "write it as kubectl does");
                continue;
            }
            refuseUnknown(entry, path, Set.of("name", inner), refusals);
            String name = text(entry, "name", path, refusals);
            if (name.isEmpty()) {
                refusals.invalid(path + ".name", "is missing", "give it a name");
            } else if (!names.add(name)) {
                refusals.invalid(path + ".name", "is there twice", "give each entry of " + list + " its own name");
            }
            Node body = entry.get(inner);
            if (body instanceof Node.Fields fields) {
                String bodyPath = path + "." + inner;
                refuseUnknown(fields, bodyPath, known, refusals);
                entries.add(new Entry(name, bodyPath, fields));
            } else {
                refusals.invalid(
                        path + "." + inner,
                        isAbsent(body) ? "is missing" : "must be an object, not " + describe(body),
                        "write it as kubectl does");
            }
        }
        return new Section(entries);
    }

    @Nullable Entry named(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Refuses what no kubeconfig has: it may be a refused field for a reader that is less exact than this one. */
    static void refuseUnknown(Node.Fields object, String path, Set<String> known, Refusals refusals) {
        for (Node.Field field : object.fields()) {
            if (known.contains(field.name())) {
                continue;
            }
            FieldNames.Refused refused = FieldNames.refused(field.name());
            if (refused != null) {
                refusals.refused(path(path, field.name()), refused.why(), refused.cure());
            } else if (FieldNames.isShowable(field.name())) {
                refusals.invalid(
                        path(path, field.name()), "unknown field", FieldNames.cureForUnknown(field.name(), known));
            } else {
                refusals.invalid(
                        path.isEmpty() ? "the kubeconfig" : path,
                        "unknown field in line " + field.position().line(),
                        "remove it");
            }
        }
    }

    private static String path(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** A text that may be left out; empty then, and when it is none. */
    static String text(Node.Fields object, String name, String path, Refusals refusals) {
        Node node = object.get(name);
        if (isAbsent(node)) {
            return "";
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.TEXT) {
            return scalar.text();
        }
        refusals.invalid(
                path(path, name), "must be a string, not " + describe(node), "put it in quotes, or correct it");
        return "";
    }

    /** A boolean that may be left out; false then, and when it is none. */
    static boolean bool(Node.Fields object, String name, String path, Refusals refusals) {
        Node node = object.get(name);
        if (isAbsent(node)) {
            return false;
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.BOOL) {
            return isTrue(object, name);
        }
        refusals.invalid(path(path, name), "must be a boolean, not " + describe(node), "write true or false");
        return false;
    }

    /** Whether a boolean is there and true. */
    static boolean isTrue(Node.Fields object, String name) {
        return object.get(name) instanceof Node.Scalar scalar
                && scalar.kind() == Node.Kind.BOOL
                && scalar.text().equals("true");
    }

    /** Left out or null, which is the same. */
    static boolean isAbsent(@Nullable Node node) {
        return node == null || (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL);
    }

    private static String describe(@Nullable Node node) {
        return node == null ? "nothing" : node.describe();
    }
}
