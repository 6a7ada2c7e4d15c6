package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.DocumentNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, user or context of a kubeconfig.
 *
 * @param path for example {@code users[0].user}
 * @param values its texts and booleans; contains credentials, so do not show them
 */
record KubeconfigEntry(String name, String path, Map<String, String> values) {
    private static final String AS_KUBECTL = "write it as kubectl does";

    /** Empty if absent or invalid. */
    String get(String field) {
        return values.getOrDefault(field, "");
    }

    String path(String field) {
        return path + "." + field;
    }

    /**
     * Reads one of the lists of a kubeconfig.
     *
     * @param node the list; null if absent
     * @param kind name of the object in each entry; with an s, the list's
     */
    static List<KubeconfigEntry> list(@Nullable DocumentNode node, String kind, KubeconfigFields reader) {
        String list = kind + "s";
        List<KubeconfigEntry> entries = new ArrayList<>();
        if (node == null || KubeconfigFields.isAbsent(node)) {
            return entries;
        }
        KubeconfigFindings findings = reader.findings();
        if (!(node instanceof DocumentNode.Items items)) {
            findings.addInvalid(list, "must be a list, not " + node.describe(), AS_KUBECTL);
            return entries;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            String path = list + "[" + i + "]";
            if (!(items.nodes().get(i) instanceof DocumentNode.Fields entry)) {
                findings.addInvalid(path, "must be an object with name and " + kind, AS_KUBECTL);
                continue;
            }
            String name = reader.read(entry, list, path).getOrDefault("name", "");
            if (name.isEmpty()) {
                findings.addInvalid(path + ".name", "is missing", "add a name");
            } else if (!names.add(name)) {
                findings.addInvalid(path + ".name", "is a duplicate", "use a unique name for each entry of " + list);
            }
            String bodyPath = path + "." + kind;
            if (entry.get(kind) instanceof DocumentNode.Fields body) {
                entries.add(new KubeconfigEntry(name, bodyPath, reader.read(body, kind, bodyPath)));
            } else {
                findings.addInvalid(bodyPath, "must be an object", AS_KUBECTL);
            }
        }
        return entries;
    }

    /** Null if there is none. */
    static @Nullable KubeconfigEntry find(List<KubeconfigEntry> entries, String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Omits the values. */
    @Override
    public String toString() {
        return path;
    }
}
